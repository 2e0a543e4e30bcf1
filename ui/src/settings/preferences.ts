/** How this person likes to be answered. It stays in this browser; what is switched on goes with a question, no other way. */
import type { Asking } from "../conversation/talking";
import { remembered } from "../remembered";
import type { Store } from "../store";

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

const kept = remembered<unknown>("preferences", {});
let read: unknown;
let whole = DEFAULTS;

export const preferences: Store<Preferences> = {
  get() {
    if (kept.get() !== read) {
      read = kept.get();
      whole = sound(read);
    }
    return whole;
  },
  set(next) {
    kept.set(typeof next === "function" ? next(preferences.get()) : next);
  },
  subscribe: kept.subscribe,
};

/** Whatever was stored here once, as preferences: what is missing or of another type is as at first. */
export function sound(stored: unknown): Preferences {
  const given: Record<string, unknown> = typeof stored === "object" && stored !== null ? { ...stored } : {};
  const entries = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const value = given[name];
    return [name, typeof value === typeof otherwise ? value : otherwise];
  });
  return Object.fromEntries(entries) as Preferences;
}

/** The fields of a question that these preferences give; what is off or empty is left out. */
export function askingFrom(chosen: Preferences): Partial<Asking> {
  const chat = chosen.chatModel.trim();
  // Said, not left out: without a name the server takes the one of its settings, which need not be this.
  const system = chosen.linkSystemToChat ? chat : systemModelOf(chosen);
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

/** The model for small work by its whole name, as it is chosen; "" for none. */
export function systemModelOf({ systemModelProvider, systemModel }: Preferences): string {
  const provider = systemModelProvider.trim();
  const model = systemModel.trim();
  return provider && model ? `${provider}:${model}` : model || provider;
}

/** A model's whole name as provider and model, which is how the choice is kept. */
export function systemModelFrom(name: string): Pick<Preferences, "systemModelProvider" | "systemModel"> {
  const colon = name.indexOf(":");
  if (colon < 0) return { systemModelProvider: "", systemModel: name.trim() };
  return { systemModelProvider: name.slice(0, colon).trim(), systemModel: name.slice(colon + 1).trim() };
}
