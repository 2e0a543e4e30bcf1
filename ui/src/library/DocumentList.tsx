import { type Dispatch, type SetStateAction, useCallback, useRef } from "react";
import { useStore } from "../store";
import { useWords } from "../words";
import { type Choice, toggled } from "./choosing";
import type { Document } from "./documents";
import { OnSight } from "./OnSight";
import { Row } from "./Row";
import { more, shelf } from "./shelf";

interface DocumentListProps {
  documents: Document[];
  chosen: Choice;
  onChoose: Dispatch<SetStateAction<Choice>>;
  isFiltered: boolean;
  onEverything: () => void;
  onFolder: (folder: string) => void;
}

/** The list itself; the next page comes when its end is seen. */
export function DocumentList({ documents, chosen, onChoose, isFiltered, onEverything, onFolder }: DocumentListProps) {
  const say = useWords();
  const { is, next, total, progress, problem } = useStore(shelf);

  const listed = useRef(documents);
  listed.current = documents;
  const last = useRef<string | null>(null);
  const toggle = useCallback(
    (document: Document, isRange: boolean) => {
      const from = isRange ? last.current : null;
      last.current = document.id;
      onChoose((now) => toggled(now, listed.current, document, from));
    },
    [onChoose],
  );

  if (is === "loading" && !documents.length) return <Waiting />;
  if (!documents.length)
    return problem ? null : (
      <div className="empty">
        <p>{isFiltered ? say("library.nothing") : say("library.none")}</p>
        {isFiltered && (
          <button type="button" className="button" onClick={onEverything}>
            {say("library.everything")}
          </button>
        )}
      </div>
    );

  return (
    <>
      <p className="hidden" role="status">
        {say.count("library.documents", total)}
      </p>
      <ul className="documents" aria-label={say("library.list")} data-choosing={chosen.size > 0 || undefined}>
        {documents.map((document) => (
          <Row
            key={document.id}
            document={document}
            progress={progress[document.id] ?? null}
            isChosen={chosen.has(document.id)}
            onToggle={toggle}
            onFolder={onFolder}
          />
        ))}
      </ul>
      {next && <OnSight onSeen={more} isBusy={is === "more"} />}
    </>
  );
}

function Waiting() {
  const say = useWords();
  return (
    <div className="documents-waiting" role="status" aria-label={say("library.loading")}>
      {[72, 48, 60, 40, 56].map((width) => (
        <div key={width}>
          <div className="skeleton" style={{ width: `${width}%`, height: 16 }} />
          <div className="skeleton" style={{ width: `${width / 2}%`, height: 12 }} />
        </div>
      ))}
    </div>
  );
}
