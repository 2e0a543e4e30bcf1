/** The page's texts in the user's language: `t("key", {name})` and `t.count("key", n)`. */
import { useSyncExternalStore } from "react";
import { createPersistentStore } from "../state/persistentStore";
import enAccount from "./en/account.json";
import enChanges from "./en/changes.json";
import enConversation from "./en/conversation.json";
import enConversations from "./en/conversations.json";
import enErrors from "./en/errors.json";
import enLibrary from "./en/library.json";
import enLimits from "./en/limits.json";
import enNotebook from "./en/notebook.json";
import enPages from "./en/pages.json";
import enPeople from "./en/people.json";
import enProjects from "./en/projects.json";
import enSearch from "./en/search.json";
import enSettings from "./en/settings.json";
import enSharing from "./en/sharing.json";
import enShell from "./en/shell.json";
import enVerdicts from "./en/verdicts.json";
import enViewer from "./en/viewer.json";
import enWorkspaces from "./en/workspaces.json";
import frAccount from "./fr/account.json";
import frChanges from "./fr/changes.json";
import frConversation from "./fr/conversation.json";
import frConversations from "./fr/conversations.json";
import frErrors from "./fr/errors.json";
import frLibrary from "./fr/library.json";
import frLimits from "./fr/limits.json";
import frNotebook from "./fr/notebook.json";
import frPages from "./fr/pages.json";
import frPeople from "./fr/people.json";
import frProjects from "./fr/projects.json";
import frSearch from "./fr/search.json";
import frSettings from "./fr/settings.json";
import frSharing from "./fr/sharing.json";
import frShell from "./fr/shell.json";
import frVerdicts from "./fr/verdicts.json";
import frViewer from "./fr/viewer.json";
import frWorkspaces from "./fr/workspaces.json";

const en = {
  ...enShell,
  ...enAccount,
  ...enConversation,
  ...enChanges,
  ...enVerdicts,
  ...enViewer,
  ...enPages,
  ...enLibrary,
  ...enProjects,
  ...enConversations,
  ...enSettings,
  ...enLimits,
  ...enPeople,
  ...enNotebook,
  ...enSharing,
  ...enSearch,
  ...enWorkspaces,
  ...enErrors,
};
const fr: Record<MessageKey, string> = {
  ...frShell,
  ...frAccount,
  ...frConversation,
  ...frChanges,
  ...frVerdicts,
  ...frViewer,
  ...frPages,
  ...frLibrary,
  ...frProjects,
  ...frConversations,
  ...frSettings,
  ...frLimits,
  ...frPeople,
  ...frNotebook,
  ...frSharing,
  ...frSearch,
  ...frWorkspaces,
  ...frErrors,
};

export type MessageKey = keyof typeof en;
export type Language = "en" | "fr";
type Counted<K> = K extends `${infer Stem}.one` ? Stem : never;
export type CountKey = Counted<MessageKey>;
type Values = Record<string, string | number>;

const MESSAGES: Record<Language, Record<MessageKey, string>> = { en, fr };

export interface Translate {
  (key: MessageKey, values?: Values): string;
  /** Return the form of `key` for this number: `key.one` or `key.other`, with the number as {n}. */
  count: (key: CountKey, n: number, values?: Values) => string;
  language: Language;
}

/** Create the translate function of a language. */
export function createTranslate(language: Language): Translate {
  const plural = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  const t = (key: MessageKey, values: Values = {}) =>
    MESSAGES[language][key].replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? numbers.format(value) : value;
    });
  const count = (key: CountKey, n: number, values: Values = {}) =>
    t(`${key}.${plural.select(n) === "one" ? "one" : "other"}` as MessageKey, { n, ...values });
  return Object.assign(t, { count, language });
}

/** Return whether a key exists. Errors of the server are translated if their code has one. */
export function isMessageKey(key: string): key is MessageKey {
  return key in en;
}

const TRANSLATIONS: Record<Language, Translate> = { en: createTranslate("en"), fr: createTranslate("fr") };
const chosen = createPersistentStore<Language | "system">("language", "system");

/** Return the chosen language, or the browser's own. */
export function getLanguage(): Language {
  const own = chosen.get();
  if (own !== "system") return own;
  return navigator.languages.find((each) => /^(en|fr)\b/.test(each))?.startsWith("fr") ? "fr" : "en";
}

/** Return the translate function; the component renders again when the language changes. */
export function useTranslate(): Translate {
  return TRANSLATIONS[useSyncExternalStore(chosen.subscribe, getLanguage)];
}

/** Return the translate function outside of components. */
export function getTranslate(): Translate {
  return TRANSLATIONS[getLanguage()];
}

export { chosen as chosenLanguage };
