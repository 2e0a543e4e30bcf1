/** What the search over everything can do besides finding: go to a view, change a setting. */
import type { AccountState, Scope } from "../account/accountStore";
import { themeStore } from "../app/theme";
import type { IconName } from "../components/Icon";
import { chosenLanguage, type MessageKey, type Translate } from "../i18n";

export interface PageAction {
  label: MessageKey;
  icon: IconName;
  /** Words by which it is found besides its label, in any language. */
  also?: string;
  /** The names of what is in it, by which it is found too. */
  holds?: MessageKey[];
  /** The path to go to. */
  to?: string;
  /** The title of the section of that view to go to. */
  section?: MessageKey;
  /** The title of that view, shown beside the label. */
  view?: MessageKey;
  run?: () => void;
  /** What the person must be allowed to do. */
  needs?: Scope;
  /** Only with accounts: for everybody who is signed in, or not for guests. */
  account?: "any" | "own";
}

/** Who searches: not everything is there for everybody. */
export type Searcher = Pick<AccountState, "mode" | "scopes" | "person">;

export const ACTIONS: PageAction[] = [
  { label: "search.action.ask", icon: "ask", to: "/", also: "new conversation question" },
  { label: "search.action.add", icon: "add", to: "/library", also: "upload file import", needs: "write" },
  { label: "shell.library", icon: "library", to: "/library" },
  { label: "shell.conversations", icon: "list", to: "/conversations" },
  { label: "notebook.title", icon: "notebook", to: "/notebooks", also: "notes carnet" },
  { label: "shell.settings", icon: "settings", to: "/settings", also: "preferences options paramètres préférences" },
  {
    label: "account.title",
    icon: "person",
    to: "/account",
    also: "profile profil e-mail",
    account: "any",
  },
  {
    label: "shell.people",
    icon: "people",
    to: "/people",
    also: "users roles members team utilisateurs rôles membres équipe",
    needs: "admin",
    account: "any",
  },
  { label: "search.action.dark", icon: "settings", run: () => themeStore.set("dark"), also: "night mode" },
  { label: "search.action.light", icon: "settings", run: () => themeStore.set("light"), also: "day mode" },
  {
    label: "search.action.system",
    icon: "settings",
    run: () => themeStore.set("system"),
    also: "automatic mode automatique",
  },
  { label: "search.action.french", icon: "settings", run: () => chosenLanguage.set("fr"), also: "français french" },
  { label: "search.action.english", icon: "settings", run: () => chosenLanguage.set("en"), also: "english anglais" },
  { label: "shell.help", icon: "info", run: pressHelp, also: "keys touches" },
];

type SectionWords = Pick<PageAction, "also" | "holds" | "needs" | "account"> & { label: MessageKey };

const SERVER_SECTIONS: SectionWords[] = [
  {
    label: "settings.setup",
    also:
      "language model llm ai api key provider modèle de langage ia clé fournisseur " +
      "ollama lm studio llama.cpp vllm openai anthropic mistral gemini",
    needs: "admin",
  },
  { label: "settings.models", holds: ["settings.chat", "settings.system", "settings.strict"], also: "strict modèle" },
  { label: "settings.judge", also: "check sentences verdicts vérifier les phrases verdicts" },
  { label: "settings.web", also: "searxng internet search engine moteur de recherche", needs: "write" },
  { label: "settings.personas", also: "instructions style tone consignes ton", needs: "write" },
  {
    label: "settings.you",
    holds: ["settings.location", "settings.me"],
    also: "location place privacy localisation position vie privée",
  },
  {
    label: "settings.look",
    holds: ["settings.theme", "settings.language"],
    also: "theme colours language thème couleurs langue affichage",
  },
  { label: "settings.usage", also: "tokens cost requests jetons coût requêtes" },
  { label: "settings.about", also: "version documentation" },
];

const ACCOUNT_SECTIONS: SectionWords[] = [
  { label: "account.password", also: "password mot de passe", account: "own" },
  { label: "account.sessions", also: "devices sign out appareils déconnexion", account: "own" },
  { label: "account.tokens", also: "api token key jeton clé", account: "own" },
  { label: "account.data", also: "export delete account exporter supprimer le compte", account: "any" },
];

const PEOPLE_TABS = ["invitations", "groups", "usage", "audit"] as const;

/** The sections of the settings, of the account and of the page of people. They are offered once words are typed. */
export const SETTINGS: PageAction[] = [
  ...SERVER_SECTIONS.map((each) => makeSection(each, { to: "/settings", icon: "settings" })),
  ...ACCOUNT_SECTIONS.map((each) => makeSection(each, { to: "/account", icon: "person", view: "account.title" })),
  ...PEOPLE_TABS.map(
    (tab): PageAction => ({
      label: `people.tab.${tab}`,
      icon: "people",
      to: `/people?tab=${tab}`,
      view: "shell.people",
      needs: "admin",
      account: "any",
    }),
  ),
];

function makeSection(words: SectionWords, place: Pick<PageAction, "to" | "icon" | "view">): PageAction {
  return { ...words, ...place, section: words.label };
}

/** Return whether an action is there for this person. */
export function isAllowed({ needs, account }: PageAction, { mode, scopes, person }: Searcher): boolean {
  if (needs && !scopes.includes(needs)) return false;
  if (!account) return true;
  return mode === "team" && person !== null && (account === "any" || person.role !== "guest");
}

/** Return all words by which an action is found. */
export function listWords(t: Translate, { label, holds = [], also = "" }: PageAction): string {
  return [t(label), ...holds.map((each) => t(each)), also].join(" ");
}

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
