/** Everything the page says, in the reader's language: `say("key", {name})` and `say.count("key", n)`. */
import { useSyncExternalStore } from "react";
import { remembered } from "../remembered";
import enConversation from "./en/conversation.json";
import enConversations from "./en/conversations.json";
import enErrors from "./en/errors.json";
import enLibrary from "./en/library.json";
import enPages from "./en/pages.json";
import enSettings from "./en/settings.json";
import enShell from "./en/shell.json";
import enVerdicts from "./en/verdicts.json";
import enViewer from "./en/viewer.json";
import frConversation from "./fr/conversation.json";
import frConversations from "./fr/conversations.json";
import frErrors from "./fr/errors.json";
import frLibrary from "./fr/library.json";
import frPages from "./fr/pages.json";
import frSettings from "./fr/settings.json";
import frShell from "./fr/shell.json";
import frVerdicts from "./fr/verdicts.json";
import frViewer from "./fr/viewer.json";

const en = {
  ...enShell,
  ...enConversation,
  ...enVerdicts,
  ...enViewer,
  ...enPages,
  ...enLibrary,
  ...enConversations,
  ...enSettings,
  ...enErrors,
};
const fr: Record<Key, string> = {
  ...frShell,
  ...frConversation,
  ...frVerdicts,
  ...frViewer,
  ...frPages,
  ...frLibrary,
  ...frConversations,
  ...frSettings,
  ...frErrors,
};

export type Key = keyof typeof en;
export type Language = "en" | "fr";
type Counted<K> = K extends `${infer Stem}.one` ? Stem : never;
export type Count = Counted<Key>;
type Values = Record<string, string | number>;

const RESOURCES: Record<Language, Record<Key, string>> = { en, fr };

export interface Say {
  (key: Key, values?: Values): string;
  /** The form of `key` for this number: `key.one` or `key.other`, with the number as {n}. */
  count: (key: Count, n: number, values?: Values) => string;
  language: Language;
}

/** The words of one language. */
export function wordsOf(language: Language): Say {
  const plural = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const say = (key: Key, values: Values = {}) =>
    RESOURCES[language][key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? numbers.format(value) : value;
    });
  const count = (key: Count, n: number, values: Values = {}) =>
    say(`${key}.${plural.select(n) === "one" ? "one" : "other"}` as Key, { n, ...values });
  return Object.assign(say, { count, language });
}

/** Whether the words of a code exist: errors of the server are said in the reader's language where we know them. */
export function isKey(key: string): key is Key {
  return key in en;
}

const BOTH: Record<Language, Say> = { en: wordsOf("en"), fr: wordsOf("fr") };
const chosen = remembered<Language | "system">("language", "system");

/** The language chosen here, or the browser's own. */
export function language(): Language {
  const own = chosen.get();
  if (own !== "system") return own;
  return navigator.languages.find((each) => /^(en|fr)\b/.test(each))?.startsWith("fr") ? "fr" : "en";
}

/** What the page says now; a component that uses it is drawn again when the language changes. */
export function useWords(): Say {
  return BOTH[useSyncExternalStore(chosen.subscribe, language)];
}

/** The same outside of components. */
export function words(): Say {
  return BOTH[language()];
}

export { chosen as chosenLanguage };
