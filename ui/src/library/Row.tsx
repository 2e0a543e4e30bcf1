import { type MouseEvent, memo, useState } from "react";
import { asProblem } from "../api/problem";
import { open } from "../desk";
import { Icon } from "../look/Icon";
import { NameField } from "../look/NameField";
import { toast } from "../look/Toasts";
import { useWords } from "../words";
import { inWords, rename } from "./acts";
import { moment, size, when } from "./amounts";
import { type Document, isRead, type Progress } from "./documents";
import { Failure } from "./Failure";
import { DEFAULT, libraryName } from "./holdings";
import { iconOf, KINDS } from "./kinds";
import { Problems } from "./Problems";
import { RowMenu } from "./RowMenu";
import { Working } from "./Working";

interface RowProps {
  document: Document;
  progress: Progress | null;
  isChosen: boolean;
  onToggle: (document: Document, isRange: boolean) => void;
  onFolder: (folder: string) => void;
}

/** One document: what it is, how far it is, and what can be done with it. */
export const Row = memo(function Row({ document, progress, isChosen, onToggle, onFolder }: RowProps) {
  const say = useWords();
  const status = progress?.status ?? document.status;
  const name = document.title || document.name;
  const isReadable = isRead(status);
  const [isNaming, setNaming] = useState(false);

  return (
    <li className="document" data-document={document.id} data-status={status} data-chosen={isChosen || undefined}>
      <label className="document-check">
        <Icon name={iconOf(document)} />
        <input
          type="checkbox"
          checked={isChosen}
          disabled={!isReadable}
          aria-label={say("library.choose", { title: name })}
          onChange={({ nativeEvent }) => onToggle(document, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        />
      </label>
      <div className="document-text">
        {isNaming ? (
          <Naming document={document} name={name} onDone={() => setNaming(false)} />
        ) : isReadable ? (
          <Title document={document} name={name} />
        ) : (
          <span className="document-title">{name}</span>
        )}
        <div className="document-line">
          {isReadable && <Facts document={document} onFolder={onFolder} />}
          {status === "failed" ? (
            <Failure document={document} {...faultOf(document, progress)} />
          ) : (
            <Working document={document} progress={progress} name={name} />
          )}
        </div>
        {isReadable && document.problems.length > 0 && <Problems problems={document.problems} />}
      </div>
      <time
        className="document-when soft small"
        dateTime={new Date(document.created * 1000).toISOString()}
        title={moment(document.created, say.language)}
      >
        {when(document.created, say.language)}
      </time>
      <RowMenu document={document} name={name} isReadable={isReadable} onRename={() => setNaming(true)} />
    </li>
  );
});

/** Why it failed, by who knows it first: the work tells before the list is looked at again. */
function faultOf(document: Document, progress: Progress | null): { code: string; message: string } {
  const { error, error_code } = progress ?? document;
  return { code: error_code || "unreadable", message: error ?? "" };
}

/** A field for the document's title. */
function Naming({ document, name, onDone }: { document: Document; name: string; onDone: () => void }) {
  const say = useWords();
  const keep = (title: string | null) => {
    onDone();
    if (title) rename(document.id, title).catch((error: unknown) => toast(inWords(say, asProblem(error))));
  };
  return <NameField name={name} label={say("library.title")} onDone={keep} />;
}

/** The title opens the source beside the list; with a modifier it is a link like any other. */
function Title({ document, name }: { document: Document; name: string }) {
  const click = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    open(document.id);
  };
  return (
    <a className="document-title" href={`/d/${document.id}`} onClick={click}>
      {name}
    </a>
  );
}

function Facts({ document, onFolder }: { document: Document; onFolder: (folder: string) => void }) {
  const say = useWords();
  const { kind, pages, bytes, folder, libraries, url, name } = document;
  const named = libraries.filter((each) => each !== DEFAULT);
  return (
    <p className="document-facts soft small">
      <span>{say(KINDS[kind])}</span>
      {pages > 0 && <span>{say.count(kind === "pptx" ? "library.slides" : "library.pages", pages)}</span>}
      <span>{size(bytes, say.language)}</span>
      {tellsMore(document) && <span className="document-name">{name}</span>}
      {named.map((each) => (
        <span key={each}>{libraryName(say, each)}</span>
      ))}
      {url && URL.canParse(url) && <span className="document-host">{new URL(url).host}</span>}
      {folder && (
        <button type="button" className="plain" onClick={() => onFolder(folder)} title={say("library.folder.only")}>
          {folder}
        </button>
      )}
    </p>
  );
}

/** Whether the file's name says something that the title does not: ten reports may all be called “Form 10-K”. */
function tellsMore({ title, name, url }: Document): boolean {
  return !url && title !== "" && name.replace(/\.\w+$/, "") !== title;
}
