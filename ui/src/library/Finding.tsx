import type { Kind } from "../api/shapes";
import { Icon } from "../look/Icon";
import { useStore } from "../store";
import { type Key, useWords } from "../words";
import { DEFAULT, holdings, libraryName } from "./holdings";
import { KINDS } from "./kinds";
import { SearchField } from "./SearchField";
import type { Filter } from "./shelf";

const STATES: { state: Exclude<Filter["state"], "">; label: Key }[] = [
  { state: "ready", label: "library.state.ready" },
  { state: "working", label: "library.state.working" },
  { state: "failed", label: "library.state.failed" },
];

/** Search as you type, and filters. */
export function Finding({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const say = useWords();
  const held = useStore(holdings);
  const libraries = held?.libraries.map((each) => each.name) ?? [];
  return (
    <search className="finding">
      <SearchField
        label={say("library.search")}
        words={filter.words}
        onWords={(words) => onFilter({ ...filter, words })}
      />
      {(libraries.some((name) => name !== DEFAULT) || filter.library) && (
        <select
          className="field"
          aria-label={say("library.filter.library")}
          value={filter.library}
          onChange={({ target }) => onFilter({ ...filter, library: target.value })}
        >
          <option value="">{say("library.filter.libraries")}</option>
          {libraries.map((name) => (
            <option key={name} value={name}>
              {libraryName(say, name)}
            </option>
          ))}
        </select>
      )}
      <select
        className="field"
        aria-label={say("library.filter.kind")}
        value={filter.kind}
        onChange={({ target }) => onFilter({ ...filter, kind: target.value as Kind | "" })}
      >
        <option value="">{say("library.filter.kinds")}</option>
        {Object.entries(KINDS).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {say(label)}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label={say("library.filter.state")}
        value={filter.state}
        onChange={({ target }) => onFilter({ ...filter, state: target.value as Filter["state"] })}
      >
        <option value="">{say("library.filter.states")}</option>
        {STATES.map(({ state, label }) => (
          <option key={state} value={state}>
            {say(label)}
          </option>
        ))}
      </select>
      {filter.folder && (
        <button type="button" className="badge folder-chip" onClick={() => onFilter({ ...filter, folder: "" })}>
          <Icon name="folder" size={14} />
          {filter.folder}
          <span className="hidden">{say("library.folder.leave")}</span>
          <Icon name="close" size={12} />
        </button>
      )}
    </search>
  );
}
