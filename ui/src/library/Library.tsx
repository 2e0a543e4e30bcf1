import { useEffect, useState } from "react";
import { asProblem } from "../api/problem";
import { toast } from "../look/Toasts";
import { Trouble } from "../look/Trouble";
import { useTitle } from "../look/titled";
import { useStore } from "../store";
import { useWords, words } from "../words";
import { Adding } from "./Adding";
import { addAddress, addressIn, documentRemoval, inWords } from "./acts";
import { ChosenBar } from "./ChosenBar";
import type { Choice } from "./choosing";
import { DocumentList } from "./DocumentList";
import { DropArea } from "./DropArea";
import { chosen as chosenFiles } from "./dropping";
import { Finding } from "./Finding";
import { follow, hears, refreshSoon } from "./following";
import { count, holdings } from "./holdings";
import { enqueue, onAdded } from "./queue";
import { Stored } from "./Stored";
import { EVERYTHING, look, shelf } from "./shelf";
import { UploadList } from "./UploadList";
import "./documents.css";
import "./library.css";

const onlyFolder = (folder: string) => void look({ ...shelf.get().filter, folder });

/** The library: what is in it, what is on its way in, and ways to add more. */
export default function Library() {
  const say = useWords();
  const { filter, documents, is, problem } = useStore(shelf);
  const isHeard = useStore(hears);
  const held = useStore(holdings);
  const gone = useStore(documentRemoval.gone);
  const [library, setLibrary] = useState("");
  const [chosen, choose] = useState<Choice>(new Map());

  useEffect(() => {
    const line = new AbortController();
    void look(shelf.get().filter);
    void count();
    void follow(line.signal);
    const forget = onAdded(refreshSoon);
    return () => {
      line.abort();
      forget();
    };
  }, []);

  useTitle(say("shell.library"));

  useEffect(() => {
    const pasted = (event: ClipboardEvent) => {
      if (!event.clipboardData || isField(event.target)) return;
      const files = chosenFiles(event.clipboardData.files);
      const address = addressIn(event.clipboardData.getData("text"));
      if (files.length) enqueue(files, library);
      else if (address)
        addAddress(address, library).catch((error: unknown) => toast(inWords(words(), asProblem(error))));
    };
    document.addEventListener("paste", pasted);
    return () => document.removeEventListener("paste", pasted);
  }, [library]);

  const shown = documents.filter((each) => !gone.has(each.id));
  const stillChosen = new Map([...chosen].filter(([id]) => !gone.has(id)));
  const isFiltered = Object.values(filter).some(Boolean);
  const isEmpty = is === "still" && !problem && !shown.length && !isFiltered && !held?.documents;

  return (
    <DropArea onFiles={(files) => enqueue(files, library)}>
      <div className="room library">
        <div className="room-inside">
          <header className="library-head">
            <h1>{say("shell.library")}</h1>
            {held && <Stored held={held} />}
          </header>
          {!isHeard && !problem && (
            <p className="library-offline" role="status">
              {say("shell.offline")}
            </p>
          )}
          <Adding library={library} onLibrary={setLibrary} isEmpty={isEmpty} />
          <UploadList />
          {!isEmpty && <Finding filter={filter} onFilter={look} />}
          {problem && (
            <Trouble fault={problem}>
              <button type="button" className="button" onClick={() => look(filter)}>
                {say("library.again")}
              </button>
            </Trouble>
          )}
          {!isEmpty && (
            <DocumentList
              documents={shown}
              chosen={stillChosen}
              onChoose={choose}
              isFiltered={isFiltered}
              onEverything={() => look(EVERYTHING)}
              onFolder={onlyFolder}
            />
          )}
        </div>
        <ChosenBar chosen={stillChosen} onClear={() => choose(new Map())} />
      </div>
    </DropArea>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea") !== null;
}
