import { lazy, Suspense, useEffect, useState } from "react";
import { useMay } from "../account/accountStore";
import { server, unwrap } from "../api/client";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import type { Document } from "../library/documents";
import { SampleButton } from "../library/SampleButton";
import { TitleLink } from "../library/TitleLink";
import { projectsStore } from "../projects/projectsStore";
import { useStore } from "../state/store";
import { useSelector } from "../state/useSelector";
import { AttachButton } from "./composer/Attachments";
import { attachmentStore } from "./composer/attachmentStore";
import { projectStore, scopeStore } from "./composer/questionOptions";
import { FoundModel } from "./FoundModel";
import { type Suggestion, writeSuggestion } from "./writeSuggestion";

const SUGGESTED = 3;
const ArrivedDocument = lazy(() => import("../library/ArrivedDocument"));

/** The page before the first question: what Pincite is, and questions that fit the library. */
export function WelcomeScreen({ onAsk }: { onAsk: (question: string) => void }) {
  const t = useTranslate();
  // A file that was just added changes the suggestions.
  const chosen = useSelector(scopeStore, ({ length }) => length);
  const newest = useSelector(scopeStore, (documents) => documents.at(-1)?.id ?? "");
  const [samples, setSamples] = useState<Document[]>([]);
  const arrived = chosen + samples.length;
  const suggestions = useSuggestions(arrived, t.language);
  const isBare = useIsLibraryEmpty(arrived);
  const mayAdd = useMay("write");
  useEffect(focusQuestionField, []);
  return (
    <div className="beginning">
      <h1>{t("conversation.begin")}</h1>
      <p className="soft">{t("conversation.begin.how")}</p>
      <ProjectChoice />
      {isBare && mayAdd && (
        <div className="beginning-bare">
          <Icon name="document" size={28} />
          <p>{t("conversation.begin.empty")}</p>
          <div className="beginning-ways">
            <AttachButton words={t("conversation.begin.choose")} />
            <SampleButton
              onReady={(added) => {
                setSamples(added.toReversed()); // the one in the reader's language first
                focusQuestionField();
              }}
            />
          </div>
          <AddressForm />
        </div>
      )}
      {samples.length > 0 && <AddedSamples samples={samples} />}
      {newest && (
        <Suspense fallback={<div className="suggestions-wait" aria-busy="true" />}>
          <ArrivedDocument key={newest} id={newest} onAsk={onAsk} />
        </Suspense>
      )}
      {!newest && !suggestions && <div className="suggestions-wait" aria-busy="true" />}
      {!newest && suggestions && suggestions.length > 0 && (
        <ul className="suggestions" aria-label={t("conversation.suggestions")}>
          {suggestions.map((each) => {
            const question = writeSuggestion(each, t);
            return (
              <li key={`${each.document} ${question}`}>
                <button type="button" onClick={() => onAsk(question)}>
                  <span>{question}</span>
                  <Icon name="forward" size={16} />
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <FoundModel onUsed={focusQuestionField} />
    </div>
  );
}

/** Focus the field for the question, unless the user is elsewhere or a keyboard would cover a small screen. */
function focusQuestionField(): void {
  const { activeElement } = document;
  const isFree = !activeElement || activeElement === document.body || !!activeElement.closest("nav, main");
  if (location.pathname !== "/" || !isFree || document.querySelector("dialog[open]")) return;
  if (matchMedia("(pointer: coarse)").matches) return;
  document.getElementById("ask")?.focus({ preventScroll: true });
}

/** The titles of the samples that were just added; a press opens one. */
function AddedSamples({ samples }: { samples: Document[] }) {
  const t = useTranslate();
  return (
    <div className="beginning-samples" role="status">
      <p>{t("library.sample.added")}</p>
      <ul>
        {samples.map(({ id, title }) => (
          <li key={id}>
            <TitleLink id={id} name={title} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The projects of the server; a press chooses one for the question. */
function ProjectChoice() {
  const t = useTranslate();
  const projects = useStore(projectsStore);
  const chosen = useStore(projectStore);
  if (!projects.length || chosen) return null;
  return (
    <div className="beginning-projects">
      <h2 className="soft">{t("projects.about")}</h2>
      {projects.map(({ id, name, folder }) => (
        <button
          key={id}
          type="button"
          className="button"
          title={folder}
          onClick={() => {
            projectStore.set(id);
            document.getElementById("ask")?.focus();
          }}
        >
          <Icon name="folder" size={16} /> {name}
        </button>
      ))}
    </div>
  );
}

function AddressForm() {
  const t = useTranslate();
  const [url, setUrl] = useState("");
  return (
    <form
      className="beginning-address"
      onSubmit={(event) => {
        event.preventDefault();
        attachmentStore.attachAddress(url);
        setUrl("");
      }}
    >
      <input
        type="url"
        className="field"
        required
        placeholder={t("conversation.begin.address")}
        aria-label={t("conversation.begin.address")}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <button type="submit" className="button">
        {t("conversation.begin.add")}
      </button>
    </form>
  );
}

function useSuggestions(arrived: number, language: "en" | "fr"): Suggestion[] | null {
  const [found, set] = useState<Suggestion[] | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when a document was added
  useEffect(() => {
    server.GET("/api/suggestions", { params: { query: { language } } }).then(
      (answer) => set(unwrap(answer).slice(0, SUGGESTED)),
      () => set([]),
    );
  }, [arrived, language]);
  return found;
}

/** Return whether the library is known to be empty. */
function useIsLibraryEmpty(arrived: number): boolean {
  const [isBare, set] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when a document was added
  useEffect(() => {
    server.GET("/api/documents", { params: { query: { limit: 1 } } }).then(
      (answer) => set(unwrap(answer).total === 0),
      () => set(false),
    );
  }, [arrived]);
  return isBare;
}
