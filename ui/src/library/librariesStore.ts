/** The named libraries, with the number of documents in them and the space they take. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";
import type { Translate } from "../i18n";
import { createCoalesced } from "../state/coalesce";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";

export type Libraries = components["schemas"]["Libraries"];

/** The library that documents go to when none is named. */
export const DEFAULT = "default";

/** The library of web pages that answers have read. */
export const WEB = "web";

const DELAY = 2000;

/** Return the name of a library as people read it; of one of somebody else, `~OWNER/NAME`, with its owner. */
export function nameLibrary(t: Translate, key: string): string {
  const [, owner, name = key] = /^~([^/]*)\/(.*)$/s.exec(key) ?? [];
  const words = name === DEFAULT ? t("library.default") : name === WEB ? t("library.web") : name;
  return owner ? `${words} · ${owner}` : words;
}

export interface LibrariesStore extends Store<Libraries | null> {
  /** Load the libraries. If the server does not answer, the earlier ones stay. */
  load: () => Promise<void>;
  /** Load them after a delay; several calls are one. */
  loadSoon: () => void;
}

/** Create a store that has loaded nothing yet. */
export function createLibrariesStore(): LibrariesStore {
  const store = createStore<Libraries | null>(null);
  const load = async () => {
    try {
      store.set(unwrap(await server.GET("/api/libraries")));
    } catch {
      // The list of documents shows the error when the server is gone.
    }
  };
  return { ...store, load, loadSoon: createCoalesced(() => void load(), DELAY) };
}

export const librariesStore = createLibrariesStore();
onPersonGone(() => librariesStore.set(null));
