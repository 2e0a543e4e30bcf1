/** The user's preferences. They stay in this browser; `composer/questionRequest.ts` says what goes with a question. */
import { createPersonalStore } from "../state/persistentStore";
import type { Store } from "../state/store";

export interface Preferences {
  chatModel: string;
  systemModelProvider: string;
  systemModel: string;
  linkSystemToChat: boolean;
  persona: string;
  location: string;
  sendLocation: boolean;
  aboutMe: string;
  sendAboutMe: boolean;
  strict: boolean;
}

export const DEFAULTS: Preferences = {
  chatModel: "",
  systemModelProvider: "",
  systemModel: "",
  linkSystemToChat: true,
  persona: "",
  location: "",
  sendLocation: false,
  aboutMe: "",
  sendAboutMe: false,
  strict: false,
};

/** Create the preferences that this browser remembers; a stored value that does not fit is read as its default. */
export function createPreferencesStore(): Store<Preferences> {
  const stored = createPersonalStore<unknown>("preferences", {});
  let read: unknown;
  let preferences = DEFAULTS;
  const get = () => {
    if (stored.get() !== read) {
      read = stored.get();
      preferences = normalizePreferences(read);
    }
    return preferences;
  };
  return {
    get,
    set: (next) => stored.set(typeof next === "function" ? next(get()) : next),
    subscribe: stored.subscribe,
  };
}

export const preferencesStore = createPreferencesStore();

/** Read stored preferences; what is missing or has another type gets its default. */
export function normalizePreferences(stored: unknown): Preferences {
  const given: Record<string, unknown> = typeof stored === "object" && stored !== null ? { ...stored } : {};
  const entries = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const value = given[name];
    return [name, typeof value === typeof otherwise ? value : otherwise];
  });
  return Object.fromEntries(entries) as Preferences;
}

/** Return the full name of the system model; "" for none. */
export function joinSystemModel({ systemModelProvider, systemModel }: Preferences): string {
  const provider = systemModelProvider.trim();
  const model = systemModel.trim();
  return provider && model ? `${provider}:${model}` : model || provider;
}

/** Split a model's full name into provider and model, as they are stored. */
export function splitSystemModel(name: string): Pick<Preferences, "systemModelProvider" | "systemModel"> {
  const colon = name.indexOf(":");
  if (colon < 0) return { systemModelProvider: "", systemModel: name.trim() };
  return { systemModelProvider: name.slice(0, colon).trim(), systemModel: name.slice(colon + 1).trim() };
}
