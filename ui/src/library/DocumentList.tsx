import { type Dispatch, type SetStateAction, useCallback, useRef } from "react";
import { LoadMore } from "../components/LoadMore";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { DocumentRow } from "./DocumentRow";
import { documentListStore } from "./documentListStore";
import type { Document } from "./documents";
import { type Selection, toggleAll, toggleSelection } from "./selection";

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
  const { status, next, total, progress, problem } = useStore(documentListStore);

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
      <label className="select-all small soft">
        <input
          type="checkbox"
          checked={documents.every(({ id }) => chosen.has(id))}
          onChange={() => onChoose((now) => toggleAll(now, documents))}
        />
        {t("library.selectAll")}
      </label>
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
