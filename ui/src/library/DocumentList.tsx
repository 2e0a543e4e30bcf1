import { type Dispatch, type SetStateAction, useCallback, useRef, useState } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { LoadMore } from "../components/LoadMore";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { DocumentRow } from "./DocumentRow";
import { documentRemoval } from "./documentActions";
import { documentListStore } from "./documentListStore";
import type { Document } from "./documents";
import { addToSelection, type Selection, toggleAll, toggleSelection } from "./selection";

interface DocumentListProps {
  documents: Document[];
  chosen: Selection;
  onChoose: Dispatch<SetStateAction<Selection>>;
  isFiltered: boolean;
  onEverything: () => void;
  onFolder: (folder: string) => void;
  onTag: (tag: string) => void;
}

/** The list of documents. It loads the next page when its end comes near the view. */
export function DocumentList(props: DocumentListProps) {
  const { documents, chosen, onChoose, isFiltered, onEverything, onFolder, onTag } = props;
  const t = useTranslate();
  const { filter, status, next, total, progress, problem } = useStore(documentListStore);
  const checkbox = useRef<HTMLInputElement>(null);

  const listed = useRef(documents);
  listed.current = documents;
  const last = useRef<string | null>(null);
  const toggle = useCallback(
    (document: Document, isRange: boolean) => {
      const from = isRange ? last.current : null;
      last.current = document.id;
      onChoose((now) => toggleSelection(now, listed.current, document, from));
    },
    [onChoose],
  );

  if (status === "loading" && !documents.length) return <ListSkeleton />;
  if (!documents.length)
    return problem ? null : (
      <div className="empty">
        <p>{isFiltered ? t("library.nothing") : t("library.none")}</p>
        {isFiltered && (
          <button type="button" className="button" onClick={onEverything}>
            {t("library.everything")}
          </button>
        )}
      </div>
    );

  return (
    <>
      <p className="hidden" role="status">
        {t.count("library.documents", total)}
      </p>
      <div className="select-all small soft">
        <label>
          <input
            ref={checkbox}
            type="checkbox"
            checked={documents.every(({ id }) => chosen.has(id))}
            onChange={() => onChoose((now) => toggleAll(now, documents))}
          />
          {t("library.selectAll")}
        </label>
        {next && (
          <SelectRest
            key={JSON.stringify(filter)}
            documents={documents}
            chosen={chosen}
            onChoose={onChoose}
            onDone={() => checkbox.current?.focus()}
          />
        )}
      </div>
      <ul className="documents" aria-label={t("library.list")} data-choosing={chosen.size > 0 || undefined}>
        {documents.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            progress={progress[document.id] ?? null}
            isChosen={chosen.has(document.id)}
            onToggle={toggle}
            onFolder={onFolder}
            onTag={onTag}
          />
        ))}
      </ul>
      {next && <LoadMore onSeen={documentListStore.loadMore} isBusy={status === "loadingMore"} />}
    </>
  );
}

interface SelectRestProps extends Pick<DocumentListProps, "documents" | "chosen" | "onChoose"> {
  onDone: () => void;
}

/** A button that selects all documents that match the filter, offered once those that are loaded are selected. */
function SelectRest({ documents, chosen, onChoose, onDone }: SelectRestProps) {
  const t = useTranslate();
  const { total, documents: loaded } = useStore(documentListStore);
  const gone = useStore(documentRemoval.gone);
  const { isBusy, problem, run } = useAction();
  const [selected, setSelected] = useState<Document[] | null>(null);
  const isDone = selected?.every(({ id }) => chosen.has(id) || gone.has(id));
  if (isDone || !documents.every(({ id }) => chosen.has(id))) return null;
  const selectAll = () =>
    run(async () => {
      const found = (await documentListStore.loadAll()).filter(({ id }) => !documentRemoval.gone.get().has(id));
      setSelected(found);
      onChoose((now) => addToSelection(now, found));
      onDone();
    });
  const left = total - (loaded.length - documents.length);
  return (
    <>
      <button type="button" className="plain" disabled={isBusy} onClick={() => void selectAll()}>
        {t("library.selectAll.rest", { n: left.toLocaleString(t.language) })}
      </button>
      {problem && <ErrorMessage fault={problem} />}
    </>
  );
}

function ListSkeleton() {
  const t = useTranslate();
  return (
    <div className="documents-waiting" role="status" aria-label={t("library.loading")}>
      {[72, 48, 60, 40, 56].map((width) => (
        <div key={width}>
          <div className="skeleton" style={{ width: `${width}%`, height: "var(--space-16)" }} />
          <div className="skeleton" style={{ width: `${width / 2}%`, height: "var(--space-12)" }} />
        </div>
      ))}
    </div>
  );
}
