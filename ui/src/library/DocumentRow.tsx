import { memo, useState } from "react";
import { useLocation } from "wouter";
import { Icon } from "../components/Icon";
import { askQuestionAbout } from "../conversation/composer/askAbout";
import { useTranslate } from "../i18n";
import { useSelector } from "../state/useSelector";
import { formatMoment, formatSize, formatWhen } from "../text/formatAmounts";
import { viewerStore } from "../viewer/viewerStore";
import { arrivalStore } from "./arrivals";
import { DocumentCard } from "./DocumentCard";
import { DocumentFailure } from "./DocumentFailure";
import { DocumentMenu } from "./DocumentMenu";
import { DocumentProgress } from "./DocumentProgress";
import { getIcon, getKind, KIND_LABELS } from "./documentKinds";
import { type Document, isRead, type Progress } from "./documents";
import { DEFAULT, nameLibrary } from "./librariesStore";
import { ReadingProblems } from "./ReadingProblems";
import { TitleField } from "./TitleField";
import { TitleLink } from "./TitleLink";

interface DocumentRowProps {
  document: Document;
  progress: Progress | null;
  isChosen: boolean;
  onToggle: (document: Document, isRange: boolean) => void;
  onFolder: (folder: string) => void;
  onTag: (tag: string) => void;
}

/** One document: its facts, its progress and its menu. */
export const DocumentRow = memo(function Row(props: DocumentRowProps) {
  const { document, progress, isChosen, onToggle, onFolder, onTag } = props;
  const t = useTranslate();
  const status = progress?.status ?? document.status;
  const name = document.title || document.name;
  const isReadable = isRead(status);
  // It was to be read again, and its password is kept no longer than the first reading took.
  const isForgotten = status === "ready" && document.error_code === "encrypted";
  const [isNaming, setNaming] = useState(false);
  const isShown = useSelector(arrivalStore, (shown) => shown.has(document.id));
  const isOpen = useSelector(viewerStore, (viewer) => viewer.isOpen && viewer.document === document.id);
  const [, go] = useLocation();

  return (
    <li
      className="document"
      data-document={document.id}
      data-status={status}
      data-chosen={isChosen || undefined}
      aria-current={isOpen || undefined}
    >
      <label className="document-check">
        <Icon name={getIcon({ ...document, kind: getKind(document), status })} />
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={t("library.choose", { title: name })}
          onChange={({ nativeEvent }) => onToggle(document, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      </label>
      <div className="document-text">
        {isNaming ? (
          <TitleField document={document} name={name} onDone={() => setNaming(false)} />
        ) : isReadable ? (
          <TitleLink id={document.id} name={name} />
        ) : (
          <span className="document-title">{name}</span>
        )}
        <div className="document-line">
          {isReadable && <DocumentFacts document={document} onFolder={onFolder} onTag={onTag} />}
          {status === "failed" || isForgotten ? (
            <DocumentFailure document={document} {...getFault(document, progress)} />
          ) : (
            <DocumentProgress document={document} progress={progress} name={name} />
          )}
        </div>
        {isReadable && <ReadingProblems document={document} />}
      </div>
      <time
        className="document-when soft small"
        dateTime={new Date(document.created * 1000).toISOString()}
        title={formatMoment(document.created, t.language)}
      >
        {formatWhen(document.created, t.language)}
      </time>
      <DocumentMenu document={document} name={name} isReadable={isReadable} onRename={() => setNaming(true)} />
      {isReadable && isShown && (
        <DocumentCard
          document={document}
          onAsk={(question) => {
            askQuestionAbout([{ id: document.id, title: name }], question);
            go("/");
          }}
        />
      )}
    </li>
  );
});

/** Return why a document failed. The progress knows before the list is loaded again. */
function getFault(document: Document, progress: Progress | null): { code: string; message: string } {
  const { error, error_code } = progress ?? document;
  return { code: error_code || "unreadable", message: error ?? "" };
}

interface DocumentFactsProps {
  document: Document;
  onFolder: (folder: string) => void;
  onTag: (tag: string) => void;
}

function DocumentFacts({ document, onFolder, onTag }: DocumentFactsProps) {
  const t = useTranslate();
  const { pages, bytes, folder, libraries, url, name } = document;
  const kind = getKind(document);
  const named = libraries.filter((each) => each !== DEFAULT);
  return (
    <p className="document-facts soft small">
      <span>{t(KIND_LABELS[kind])}</span>
      {pages > 0 && <span>{t.count(kind === "pptx" ? "library.slides" : "library.pages", pages)}</span>}
      <span>{formatSize(bytes, t.language)}</span>
      {isNameInformative(document) && <span className="document-name">{name}</span>}
      {named.map((each) => (
        <span key={each}>{nameLibrary(t, each)}</span>
      ))}
      {document.tags.map((tag) => (
        <button key={tag} type="button" className="badge tag" onClick={() => onTag(tag)} title={t("library.tag.only")}>
          {tag}
        </button>
      ))}
      {url && URL.canParse(url) && <span className="document-host">{new URL(url).host}</span>}
      {folder && (
        <button type="button" className="plain" onClick={() => onFolder(folder)} title={t("library.folder.only")}>
          {folder}
        </button>
      )}
    </p>
  );
}

/** Return whether the file's name tells more than the title: ten reports may all be called “Form 10-K”. */
function isNameInformative({ title, name, url }: Document): boolean {
  return !url && title !== "" && name.replace(/\.\w+$/, "") !== title;
}
