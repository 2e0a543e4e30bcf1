import { useState } from "react";
import { Icon } from "../look/Icon";
import { useStore } from "../store";
import { useWords } from "../words";
import { DEFAULT, holdings, libraryName, WEB } from "./holdings";

const NEW = " new";

/** Which set of documents what is added goes to: one that is there, or a new one. */
export function LibraryChoice({ library, onLibrary }: { library: string; onLibrary: (library: string) => void }) {
  const say = useWords();
  const held = useStore(holdings);
  const [isNaming, setNaming] = useState(false);
  const named = held?.libraries.map((each) => each.name).filter((name) => name !== WEB) ?? [];
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
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
          autoFocus
          maxLength={200}
          aria-label={say("library.new.name")}
          placeholder={say("library.new.name")}
          onKeyDown={(event) => event.key === "Escape" && setNaming(false)}
        />
        <button type="submit" className="icon-button" aria-label={say("library.new.done")}>
          <Icon name="check" />
        </button>
      </form>
    );

  return (
    <label className="choice">
      <span className="soft">{say("library.into")}</span>
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
            {libraryName(say, name)}
          </option>
        ))}
        <option value={NEW}>{say("library.new")}</option>
      </select>
    </label>
  );
}
