import { useEffect, useState } from "react";
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { EXTRACTIVE } from "../settings/modelNames";
import { preferencesStore } from "../settings/preferences";
import { useStore } from "../state/store";
import { formatSize } from "../text/formatAmounts";
import { getPrintedNumber } from "../text/pageNames";
import { openDocument, openFoundPassage } from "../viewer/viewerStore";
import { DocumentSummary } from "./DocumentSummary";
import { getIcon, KIND_LABELS } from "./documentKinds";
import { nameLanguage } from "./documentLanguages";
import type { Document } from "./documents";
import { useMayChange } from "./libraryAccess";
import { TitleField } from "./TitleField";
import "./documents.css";
import "./documentCard.css";

type Overview = components["schemas"]["Overview"];
type Heading = components["schemas"]["Heading"];

interface DocumentCardProps {
  document: Document;
  /** Asks a question about this document alone. */
  onAsk: (question: string) => void;
  onRenamed?: (title: string) => void;
}

/** A document that shows itself: its title, facts and outline, and questions that it suggests in its own language. */
export function DocumentCard({ document, onAsk, onRenamed }: DocumentCardProps) {
  const t = useTranslate();
  const overview = useOverview(document.id);
  const hasModel = useHasModel();
  const { kind, pages, bytes, language } = document;
  return (
    <section className="document-card" aria-label={t("library.card", { title: document.title || document.name })}>
      <CardTitle document={document} {...(onRenamed && { onRenamed })} />
      <p className="document-facts soft small">
        <span>{t(KIND_LABELS[kind])}</span>
        {pages > 0 && <span>{t.count(kind === "pptx" ? "library.slides" : "library.pages", pages)}</span>}
        {language && <span>{nameLanguage(language, t.language)}</span>}
        <span>{formatSize(bytes, t.language)}</span>
      </p>
      {!overview && <div className="skeleton card-waiting" aria-busy="true" />}
      {overview && hasOutline(overview, document) && (
        <Outline document={document} headings={overview.outline} total={overview.headings} />
      )}
      {overview && (
        <ul className="card-questions" aria-label={t("conversation.suggestions")} lang={language || undefined}>
          {overview.questions.map((question) => (
            <li key={question}>
              <button type="button" onClick={() => onAsk(question)}>
                <span>{question}</span>
                <Icon name="forward" size={16} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {overview && hasModel && (
        <DocumentSummary document={document.id} question={overview.summary} language={language} />
      )}
    </section>
  );
}

/** Return whether the headings tell more than the title. */
function hasOutline({ outline, headings }: Overview, { title, name }: Document): boolean {
  const [first] = outline;
  return first !== undefined && (headings > 1 || first.title.trim() !== (title || name).trim());
}

/** The title, with a button that changes it. */
function CardTitle({ document, onRenamed }: { document: Document; onRenamed?: (title: string) => void }) {
  const t = useTranslate();
  const [title, setTitle] = useState(document.title || document.name);
  const [isNaming, setNaming] = useState(false);
  const mayRename = useMayChange(document);
  useEffect(() => setTitle(document.title || document.name), [document.title, document.name]);
  const end = (given: string | null) => {
    setNaming(false);
    if (!given) return;
    setTitle(given);
    onRenamed?.(given);
  };
  return (
    <div className="card-head">
      <Icon name={getIcon(document)} />
      {isNaming ? (
        <TitleField document={document} name={title} onDone={end} />
      ) : (
        <h2>
          <button type="button" className="card-title" onClick={() => openDocument(document.id)}>
            {title}
          </button>
        </h2>
      )}
      {mayRename && !isNaming && (
        <button
          type="button"
          className="icon-button"
          aria-label={t("library.card.rename", { title })}
          title={t("library.rename")}
          onClick={() => setNaming(true)}
        >
          <Icon name="edit" size={16} />
        </button>
      )}
    </div>
  );
}

/** The first headings. Each opens the document at its place. */
function Outline({ document, headings, total }: { document: Document; headings: Heading[]; total: number }) {
  const t = useTranslate();
  const rest = total - headings.length;
  const top = Math.min(...headings.map(({ level }) => level));
  const open = ({ title, start, page }: Heading) => {
    if (page) openDocument(document.id, page);
    else
      openFoundPassage({
        document: document.id,
        title: document.title || document.name,
        kind: document.kind,
        page: null,
        label: "",
        start,
        end: start + title.length,
        text: title,
      });
  };
  return (
    <details className="card-outline" open={headings.length <= 8}>
      <summary>{t("viewer.outline")}</summary>
      <ol>
        {headings.map((each) => (
          <li key={each.start} data-level={Math.min(each.level - top, 3)}>
            <button type="button" onClick={() => open(each)}>
              <span>{each.title}</span>
              {each.page && <span className="soft">{getPrintedNumber(each)}</span>}
            </button>
          </li>
        ))}
      </ol>
      {rest > 0 && <p className="soft small">{t.count("library.card.more", rest)}</p>}
    </details>
  );
}

function useOverview(document: string): Overview | null {
  const [found, set] = useState<Overview | null>(null);
  useEffect(() => {
    const line = new AbortController();
    set(null);
    server.GET("/api/documents/{document}/overview", { params: { path: { document } }, signal: line.signal }).then(
      (answer) => set(unwrap(answer)),
      () => {
        if (!line.signal.aborted) set({ document, outline: [], headings: 0, questions: [], summary: "" });
      },
    );
    return () => line.abort();
  }, [document]);
  return found;
}

/** Return whether a language model writes the answers. */
function useHasModel(): boolean {
  const { chatModel } = useStore(preferencesStore);
  const [usual, setUsual] = useState("");
  useEffect(() => {
    server.GET("/api/settings").then(
      (answer) => setUsual(unwrap(answer).chat_model),
      () => {},
    );
  }, []);
  return ![EXTRACTIVE, ""].includes(chatModel || usual);
}
