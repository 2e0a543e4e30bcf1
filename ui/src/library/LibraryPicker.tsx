import { useState } from "react";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { DEFAULT, librariesStore, nameLibrary, WEB } from "./librariesStore";

const NEW = " new";

/** Chooses the library that new documents go to: an existing one or a new one. */
export function LibraryPicker({ library, onLibrary }: { library: string; onLibrary: (library: string) => void }) {
  const t = useTranslate();
  const held = useStore(librariesStore);
  const [isNaming, setNaming] = useState(false);
  const named =
    held?.libraries.filter(({ key, access }) => key !== WEB && access !== "reader").map(({ key }) => key) ?? [];
  const names = [DEFAULT, ...named, library || DEFAULT];

  if (isNaming)
    return (
      <form
        className="choice"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get("library");
          onLibrary(typeof given === "string" ? given.trim() : "");
          setNaming(false);
        }}
      >
        <input
          className="field"
          name="library"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
          autoFocus
          maxLength={200}
          aria-label={t("library.new.name")}
          placeholder={t("library.new.name")}
          onKeyDown={(event) => event.key === "Escape" && setNaming(false)}
        />
        <button type="submit" className="icon-button" aria-label={t("library.new.done")}>
          <Icon name="check" />
        </button>
      </form>
    );

  return (
    <label className="choice">
      <span className="soft">{t("library.into")}</span>
      <select
        className="field"
        value={library || DEFAULT}
        onChange={({ target }) => {
          if (target.value === NEW) setNaming(true);
          else onLibrary(target.value === DEFAULT ? "" : target.value);
        }}
      >
        {[...new Set(names)].map((name) => (
          <option key={name} value={name}>
            {nameLibrary(t, name)}
          </option>
        ))}
        <option value={NEW}>{t("library.new")}</option>
      </select>
    </label>
  );
}
