import { useEffect, useState } from "react";
import { useMay } from "../account/accountStore";
import { GuestHint } from "../account/GuestHint";
import { toProblem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { CitationCard } from "../conversation/citations/CitationCard";
import { getTranslate, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { AddDocuments } from "./AddDocuments";
import { DocumentFilters } from "./DocumentFilters";
import { DocumentList } from "./DocumentList";
import { addAddress, describeInOneLine, documentRemoval, findAddress } from "./documentActions";
import { documentListStore, EVERYTHING } from "./documentListStore";
import { isRead, raiseReading } from "./documents";
import { loadTags } from "./documentTags";
import { readChosenFiles as chosenFiles } from "./droppedFiles";
import { LibraryDropZone } from "./LibraryDropZone";
import { LibraryList } from "./LibraryList";
import { LibrarySize } from "./LibrarySize";
import { DEFAULT, librariesStore } from "./librariesStore";
import { mayChange } from "./libraryAccess";
import { progressStream } from "./progressStream";
import { ReadingTotal } from "./ReadingTotal";
import { SelectionBar } from "./SelectionBar";
import type { Selection } from "./selection";
import { UploadList } from "./UploadList";
import { uploadQueue } from "./uploadQueue";
import { WorkspaceFilter } from "./WorkspaceFilter";
import "./documents.css";
import "./library.css";

const onlyTag = (tag: string) => void documentListStore.load({ ...documentListStore.get().filter, tag });
const onlyFolder = (folder: string) => void documentListStore.load({ ...documentListStore.get().filter, folder });

/** The library: its documents, the uploads, and ways to add more. */
export default function Library() {
  const t = useTranslate();
  const { filter, documents, status, problem } = useStore(documentListStore);
  const isHeard = useStore(progressStream.isConnected);
  const held = useStore(librariesStore);
  const gone = useStore(documentRemoval.gone);
  const mayAdd = useMay("write");
  const [library, setLibrary] = useState("");
  const [chosen, choose] = useState<Selection>(new Map());

  useEffect(() => {
    const line = new AbortController();
    void documentListStore.load(documentListStore.get().filter);
    void librariesStore.load();
    void loadTags();
    void progressStream.follow(line.signal);
    const forget = uploadQueue.onAdded(progressStream.refreshSoon);
    return () => {
      line.abort();
      forget();
    };
  }, []);

  useDocumentTitle(t("shell.library"));

  useEffect(() => {
    const pasted = (event: ClipboardEvent) => {
      if (!event.clipboardData || isField(event.target) || !mayAdd) return;
      const files = chosenFiles(event.clipboardData.files);
      const address = findAddress(event.clipboardData.getData("text"));
      if (files.length) uploadQueue.enqueue(files, library);
      else if (address)
        addAddress(address, library).catch((error: unknown) =>
          showToast(describeInOneLine(getTranslate(), toProblem(error))),
        );
    };
    document.addEventListener("paste", pasted);
    return () => document.removeEventListener("paste", pasted);
  }, [library, mayAdd]);

  const kept = documents.filter((each) => !gone.has(each.id));
  const shown = filter.order ? kept : raiseReading(kept);
  const listed = new Map(shown.map((each) => [each.id, each]));
  const stillChosen = new Map(
    [...chosen].filter(([id]) => !gone.has(id)).map(([id, each]) => [id, listed.get(id) ?? each]),
  );
  const mayRemove = mayAdd && [...stillChosen.values()].every((each) => mayChange(each, held));
  const read = new Map([...stillChosen].filter(([, { status }]) => isRead(status)));
  const { order: _, ...filters } = filter;
  const isFiltered = Object.values(filters).some(Boolean);
  // The rest of a list without a filter is only not loaded yet.
  const hidden = isFiltered ? [...stillChosen.keys()].filter((id) => !listed.has(id)).length : 0;
  const isEmpty = status === "idle" && !problem && !shown.length && !isFiltered && !held?.documents;

  return (
    <LibraryDropZone isOpen={mayAdd} onFiles={(files) => uploadQueue.enqueue(files, library)}>
      <div className="room library">
        <div className="room-inside">
          <header className="library-head">
            <h1>{t("shell.library")}</h1>
            {held && <LibrarySize held={held} />}
          </header>
          {!isHeard && !problem && (
            <p className="library-offline" role="status">
              {t("shell.offline")}
            </p>
          )}
          <GuestHint />
          {mayAdd && <AddDocuments library={library} onLibrary={setLibrary} isEmpty={isEmpty} />}
          {isEmpty && !mayAdd && <p className="soft">{t("account.guest.nothing")}</p>}
          <UploadList />
          <ReadingTotal />
          <WorkspaceFilter
            library={filter.library}
            onLibrary={(key) => {
              void documentListStore.load({ ...documentListStore.get().filter, library: key });
              if (mayChange({ libraries: [key] }, held)) setLibrary(key === DEFAULT ? "" : key);
            }}
          />
          <LibraryList
            chosen={filter.library}
            onChoose={(key) => documentListStore.load({ ...filter, library: key })}
          />
          {!isEmpty && <DocumentFilters filter={filter} onFilter={documentListStore.load} />}
          {problem && (
            <ErrorMessage fault={problem}>
              <button type="button" className="button" onClick={() => documentListStore.load(filter)}>
                {t("library.again")}
              </button>
            </ErrorMessage>
          )}
          {!isEmpty && (
            <DocumentList
              documents={shown}
              chosen={stillChosen}
              onChoose={choose}
              isFiltered={isFiltered}
              onEverything={() => documentListStore.load(EVERYTHING)}
              onFolder={onlyFolder}
              onTag={onlyTag}
            />
          )}
        </div>
        <CitationCard />
        <SelectionBar
          chosen={stillChosen}
          hidden={hidden}
          mayRemove={mayRemove}
          read={read}
          onClear={() => choose(new Map())}
        />
      </div>
    </LibraryDropZone>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea") !== null;
}
