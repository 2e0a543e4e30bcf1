import { type FormEvent, useRef, useState } from "react";
import { type Problem, toProblem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { addAddress } from "./documentActions";
import { readChosenFiles } from "./droppedFiles";
import { LibraryPicker } from "./LibraryPicker";
import { progressStream } from "./progressStream";
import { SampleButton } from "./SampleButton";
import { uploadQueue } from "./uploadQueue";

interface AddDocumentsProps {
  library: string;
  onLibrary: (library: string) => void;
  isEmpty: boolean;
}

/** Ways to add documents: files, a folder or an address, and the library they go to. */
export function AddDocuments({ library, onLibrary, isEmpty }: AddDocumentsProps) {
  const t = useTranslate();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  const take = (input: HTMLInputElement) => {
    uploadQueue.enqueue(readChosenFiles(input.files ?? []), library);
    input.value = "";
  };

  return (
    <section className={isEmpty ? "adding is-empty" : "adding"} aria-label={t("library.adding")}>
      <div className="adding-drop">
        <Icon name="add" size={isEmpty ? 28 : 20} />
        <div>
          <p className="adding-line">{isEmpty ? t("library.empty") : t("library.drop")}</p>
          {isEmpty && <p className="soft small">{t("library.kinds")}</p>}
        </div>
        <div className="adding-buttons">
          <button type="button" className={isEmpty ? "button main" : "button"} onClick={() => files.current?.click()}>
            {t("library.files")}
          </button>
          <button type="button" className="button" onClick={() => folder.current?.click()}>
            {t("library.folder.choose")}
          </button>
          {isEmpty && <SampleButton onReady={progressStream.refreshSoon} />}
        </div>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={t("library.files")}
          onChange={(event) => take(event.currentTarget)}
        />
        <input
          ref={folder}
          type="file"
          hidden
          aria-label={t("library.folder.choose")}
          onChange={(event) => take(event.currentTarget)}
          {...{ webkitdirectory: "" }}
        />
      </div>
      <div className="adding-more">
        <AddressForm library={library} />
        <LibraryPicker library={library} onLibrary={onLibrary} />
      </div>
    </section>
  );
}

function AddressForm({ library }: { library: string }) {
  const t = useTranslate();
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
      if (outcome === "known") showToast(t("library.known", { title: title || name }));
    } catch (error) {
      setProblem(toProblem(error));
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
          aria-label={t("library.address")}
          placeholder={t("library.address.example")}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </div>
      <button type="submit" className="button" disabled={isBusy || !address.trim()}>
        {isBusy ? <span className="spinner" /> : null}
        {isBusy ? t("library.fetching") : t("library.add")}
      </button>
      {problem && <ErrorMessage fault={problem} />}
    </form>
  );
}
