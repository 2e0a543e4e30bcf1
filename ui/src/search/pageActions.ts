/** What the search over everything can do besides finding: go to a view, change a setting. */
import { themeStore } from "../app/theme";
import type { IconName } from "../components/Icon";
import { chosenLanguage, type MessageKey } from "../i18n";

export interface PageAction {
  label: MessageKey;
  icon: IconName;
  /** Words by which it is found besides its label, in any language. */
  also?: string;
  /** The path to go to. */
  to?: string;
  /** The title of the section of the settings to go to. */
  section?: MessageKey;
  run?: () => void;
}

export const ACTIONS: PageAction[] = [
  { label: "search.action.ask", icon: "ask", to: "/", also: "new conversation question" },
  { label: "search.action.add", icon: "add", to: "/library", also: "upload file import" },
  { label: "shell.library", icon: "library", to: "/library" },
  { label: "shell.conversations", icon: "list", to: "/conversations" },
  { label: "notebook.title", icon: "notebook", to: "/notebooks", also: "notes carnet" },
  { label: "shell.settings", icon: "settings", to: "/settings", also: "preferences options" },
  { label: "search.action.dark", icon: "settings", run: () => themeStore.set("dark"), also: "night mode" },
  { label: "search.action.light", icon: "settings", run: () => themeStore.set("light"), also: "day mode" },
  { label: "search.action.french", icon: "settings", run: () => chosenLanguage.set("fr"), also: "français french" },
  { label: "search.action.english", icon: "settings", run: () => chosenLanguage.set("en"), also: "english anglais" },
  { label: "shell.help", icon: "info", run: pressHelp, also: "keys touches" },
];

export const SETTINGS: PageAction[] = (
  [
    "settings.models",
    "settings.judge",
    "settings.web",
    "settings.personas",
    "settings.you",
    "settings.look",
    "settings.usage",
    "settings.about",
  ] as const
).map((section) => ({ label: section, icon: "settings", to: "/settings", section }));

/** Return whether a text contains all words, whatever their case and accents. */
export function hasWords(text: string, words: string): boolean {
  const folded = fold(text);
  return fold(words)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

/** The dialog with the keys listens for its key. */
function pressHelp(): void {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true, cancelable: true }));
}
