/** The user's preferences. They stay in this browser; what is switched on goes with a question. */
import type { QuestionRequest } from "../api/types";
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

/** Make the fields of a question from the preferences; what is off or empty is left out. */
export function makeRequestFields(chosen: Preferences): Partial<QuestionRequest> {
  const chat = chosen.chatModel.trim();
  // Send the name always: without it the server uses its own setting, which may differ.
  const system = chosen.linkSystemToChat ? chat : joinSystemModel(chosen);
  const location = chosen.location.trim();
  const aboutMe = chosen.aboutMe.trim();
  return {
    ...(chat && { chatModel: chat }),
    ...(system && { systemModel: system }),
    ...(chosen.persona && { persona: chosen.persona }),
    ...(chosen.strict && { strict: true }),
    ...(chosen.sendLocation && location && { userLocation: location }),
    ...(chosen.sendAboutMe && aboutMe && { userProfile: aboutMe }),
  };
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
