import { accountStore } from "../account/accountStore";
import type { Kind } from "../api/types";
import { Icon } from "../components/Icon";
import { SearchField } from "../components/SearchField";
import { type MessageKey, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { KIND_LABELS } from "./documentKinds";
import type { Filter } from "./documentListStore";
import { tagStore } from "./documentTags";
import { DEFAULT, librariesStore, nameLibrary } from "./librariesStore";

const STATES: { state: Exclude<Filter["state"], "">; label: MessageKey }[] = [
  { state: "ready", label: "library.state.ready" },
  { state: "working", label: "library.state.working" },
  { state: "failed", label: "library.state.failed" },
];

const ORDERS: { order: Filter["order"]; label: MessageKey }[] = [
  { order: "", label: "library.order.newest" },
  { order: "oldest", label: "library.order.oldest" },
  { order: "title", label: "library.order.title" },
  { order: "size", label: "library.order.size" },
];

/** The search field and the filters of the list. */
export function DocumentFilters({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const t = useTranslate();
  const { mode } = useStore(accountStore);
  const held = useStore(librariesStore);
  const tags = useStore(tagStore);
  const libraries = held?.libraries.map((each) => each.key) ?? [];
  return (
    <search className="finding">
      <SearchField
        label={t("library.search")}
        words={filter.words}
        onWords={(words) => onFilter({ ...filter, words })}
      />
      {/* On a server with accounts the libraries are listed above. */}
      {mode === "local" && (libraries.some((name) => name !== DEFAULT) || filter.library) && (
        <select
          className="field"
          aria-label={t("library.filter.library")}
          value={filter.library}
          onChange={({ target }) => onFilter({ ...filter, library: target.value })}
        >
          <option value="">{t("library.filter.libraries")}</option>
          {libraries.map((name) => (
            <option key={name} value={name}>
              {nameLibrary(t, name)}
            </option>
          ))}
        </select>
      )}
      <select
        className="field"
        aria-label={t("library.filter.kind")}
        value={filter.kind}
        onChange={({ target }) => onFilter({ ...filter, kind: target.value as Kind | "" })}
      >
        <option value="">{t("library.filter.kinds")}</option>
        {Object.entries(KIND_LABELS).map(([kind, label]) => (
          <option key={kind} value={kind}>
            {t(label)}
          </option>
        ))}
      </select>
      <select
        className="field"
        aria-label={t("library.filter.state")}
        value={filter.state}
        onChange={({ target }) => onFilter({ ...filter, state: target.value as Filter["state"] })}
      >
        <option value="">{t("library.filter.states")}</option>
        {STATES.map(({ state, label }) => (
          <option key={state} value={state}>
            {t(label)}
          </option>
        ))}
      </select>
      {(tags.length > 0 || filter.tag) && (
        <select
          className="field"
          aria-label={t("library.filter.tag")}
          value={filter.tag}
          onChange={({ target }) => onFilter({ ...filter, tag: target.value })}
        >
          <option value="">{t("library.filter.tags")}</option>
          {[...new Set([...tags, ...(filter.tag ? [filter.tag] : [])])].map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
        </select>
      )}
      <select
        className="field"
        aria-label={t("library.order")}
        value={filter.order}
        onChange={({ target }) => onFilter({ ...filter, order: target.value as Filter["order"] })}
      >
        {ORDERS.map(({ order, label }) => (
          <option key={order} value={order}>
            {t(label)}
          </option>
        ))}
      </select>
      {filter.folder && (
        <button type="button" className="badge folder-chip" onClick={() => onFilter({ ...filter, folder: "" })}>
          <Icon name="folder" size={14} />
          {filter.folder}
          <span className="hidden">{t("library.folder.leave")}</span>
          <Icon name="close" size={12} />
        </button>
      )}
    </search>
  );
}
