import { type FormEvent, useRef, useState } from "react";
import { asProblem, type Problem } from "../api/problem";
import { Icon } from "../look/Icon";
import { toast } from "../look/Toasts";
import { Trouble } from "../look/Trouble";
import { useWords } from "../words";
import { addAddress } from "./acts";
import { chosen } from "./dropping";
import { LibraryChoice } from "./LibraryChoice";
import { enqueue } from "./queue";

interface AddingProps {
  library: string;
  onLibrary: (library: string) => void;
  isEmpty: boolean;
}

/** The ways in: files, a folder, an address; and which set they go to. */
export function Adding({ library, onLibrary, isEmpty }: AddingProps) {
  const say = useWords();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  const take = (input: HTMLInputElement) => {
    enqueue(chosen(input.files ?? []), library);
    input.value = "";
  };

  return (
    <section className={isEmpty ? "adding is-empty" : "adding"} aria-label={say("library.adding")}>
      <div className="adding-drop">
        <Icon name="add" size={isEmpty ? 28 : 20} />
        <div>
          <p className="adding-line">{isEmpty ? say("library.empty") : say("library.drop")}</p>
          {isEmpty && <p className="soft small">{say("library.kinds")}</p>}
        </div>
        <div className="adding-buttons">
          <button type="button" className={isEmpty ? "button main" : "button"} onClick={() => files.current?.click()}>
            {say("library.files")}
          </button>
          <button type="button" className="button" onClick={() => folder.current?.click()}>
            {say("library.folder.choose")}
          </button>
        </div>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={say("library.files")}
          onChange={(event) => take(event.currentTarget)}
        />
        <input
          ref={folder}
          type="file"
          hidden
          aria-label={say("library.folder.choose")}
          onChange={(event) => take(event.currentTarget)}
          {...{ webkitdirectory: "" }}
        />
      </div>
      <div className="adding-more">
        <Address library={library} />
        <LibraryChoice library={library} onLibrary={onLibrary} />
      </div>
    </section>
  );
}

function Address({ library }: { library: string }) {
  const say = useWords();
  const [address, setAddress] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  const add = async (event: FormEvent) => {
    event.preventDefault();
    const url = /^[a-z]+:/i.test(address.trim()) ? address.trim() : `https://${address.trim()}`;
    setBusy(true);
    setProblem(null);
    try {
      const { outcome, title, name } = await addAddress(url, library);
      setAddress("");
      if (outcome === "known") toast(say("library.known", { title: title || name }));
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  };

  return (
    <form className="adding-address" onSubmit={add}>
      <div className="with-icon">
        <Icon name="link" size={16} />
        <input
          className="field"
          type="text"
          inputMode="url"
          autoComplete="url"
          spellCheck={false}
          aria-label={say("library.address")}
          placeholder={say("library.address.example")}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </div>
      <button type="submit" className="button" disabled={isBusy || !address.trim()}>
        {isBusy ? <span className="spinner" /> : null}
        {isBusy ? say("library.fetching") : say("library.add")}
      </button>
      {problem && <Trouble fault={problem} />}
    </form>
  );
}
