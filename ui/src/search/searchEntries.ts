/** Make the list of the search over everything: groups of entries that can be opened. */
import type { IconName } from "../components/Icon";
import type { Summary } from "../conversations/conversationListStore";
import { cutAroundMatch } from "../conversations/searchMatches";
import type { MessageKey, Translate } from "../i18n";
import { namePage } from "../text/pageNames";
import { dropHeadings, tidyExcerpt } from "../text/quotes";
import { openWorkspaceStore, type Workspace } from "../workspaces/workspacesStore";
import { ACTIONS, hasWords, isAllowed, listWords, type PageAction, SETTINGS, type Searcher } from "./pageActions";
import type { FoundThings } from "./searchEverything";

export interface SearchEntry {
  id: string;
  icon: IconName;
  label: string;
  detail: string;
  /** The words that are marked in the label. */
  words?: string;
  to?: string;
  section?: string;
  run?: () => void;
}

export interface EntryGroup {
  title: MessageKey;
  entries: SearchEntry[];
}

const EXCERPT = 160;

/** Return the groups for what was typed, without empty ones. Without words: the last conversations and the actions. */
export function listGroups(
  t: Translate,
  typed: string,
  found: FoundThings,
  recent: Summary[],
  workspaces: Workspace[],
  searcher: Searcher,
): EntryGroup[] {
  const words = typed.trim();
  const isOffered = (action: PageAction) => isAllowed(action, searcher) && hasWords(listWords(t, action), words);
  const actions = ACTIONS.filter(isOffered).map((each) => makeAction(t, each));
  const settings = words ? SETTINGS.filter(isOffered).map((each) => makeSetting(t, each, words)) : [];
  const conversations = words ? found.conversations : recent;
  const groups: EntryGroup[] = [
    {
      title: "search.documents",
      entries: words
        ? found.documents.map(({ id, title, name }) => ({
            id: `document-${id}`,
            icon: "document",
            label: title || name,
            detail: title ? name : "",
            to: `/d/${id}`,
          }))
        : [],
    },
    { title: "shell.conversations", entries: conversations.map((each) => makeConversation(t, each)) },
    {
      title: "search.passages",
      entries: words
        ? found.passages.map((each) => ({
            id: `passage-${each.document}-${each.start}`,
            icon: "search",
            label: shorten(readPassage(each), words),
            detail: [each.title, each.page === null ? "" : namePage(t, each), each.headings.at(-1)]
              .filter((part, place) => part && (place === 0 || part !== each.title))
              .join(", "),
            words,
            to: `/d/${each.document}?span=${each.start}-${each.end}`,
          }))
        : [],
    },
    { title: "search.notes", entries: words ? found.notes.map((each) => makeNote(t, each, words)) : [] },
    { title: "search.workspaces", entries: listWorkspaces(t, words, workspaces) },
    { title: "search.actions", entries: actions },
    { title: "shell.settings", entries: settings },
  ];
  return groups.filter(({ entries }) => entries.length);
}

function makeAction(t: Translate, { label, icon, to, section, run }: PageAction): SearchEntry {
  return {
    id: `action-${label.replaceAll(".", "-")}`,
    icon,
    label: t(label),
    detail: "",
    ...(to && { to }),
    ...(section && { section: t(section) }),
    ...(run && { run }),
  };
}

/** Name the setting that was searched for, where it is one of several in a section. */
function makeSetting(t: Translate, action: PageAction, words: string): SearchEntry {
  const held = hasWords(t(action.label), words) ? [] : (action.holds ?? []);
  const name = held.map((each) => t(each)).find((each) => hasWords(each, words));
  return { ...makeAction(t, action), detail: name ?? (action.view ? t(action.view) : "") };
}

function makeConversation(t: Translate, { id, title, excerpt }: Summary): SearchEntry {
  const label = title || t("conversations.untitled");
  const detail = excerpt === title ? "" : tidyExcerpt(excerpt);
  return { id: `conversation-${id}`, icon: "list", label, detail, to: `/c/${id}` };
}

/** A notebook or a kept thing leads to the notebook, a highlight to its place in the document. */
function makeNote(t: Translate, note: FoundThings["notes"][number], words: string): SearchEntry {
  const { kind, id, title, excerpt, notebook, document, start, end } = note;
  const place = [title, note.page === null ? "" : namePage(t, { page: note.page, label: note.label })];
  return {
    id: `note-${kind}-${id}`,
    icon: "edit",
    label: kind === "notebook" ? title : shorten(excerpt || title, words),
    words,
    detail: kind === "notebook" ? "" : place.filter(Boolean).join(", "),
    to: kind === "annotation" ? `/d/${document}?span=${start}-${end}` : `/notebooks/${notebook || id}`,
  };
}

function listWorkspaces(t: Translate, words: string, all: Workspace[]): SearchEntry[] {
  if (!words || !all.length) return [];
  const choices = [{ id: "", name: t("workspaces.everything") }, ...all];
  return choices
    .filter(({ name }) => hasWords(name, words))
    .map(({ id, name }) => ({
      id: `workspace-${id}`,
      icon: "folder",
      label: name,
      detail: "",
      run: () => openWorkspaceStore.set(id),
    }));
}

/** Return the text of a passage without the headings that name its place, and without the signs of Markdown. */
function readPassage({ kind, title, headings, text }: FoundThings["passages"][number]): string {
  const words = dropHeadings(text, [title, ...headings.slice(-1)]);
  return kind === "markdown" ? dropMarkup(words) : words;
}

/** Return one line around the words that were found. */
function shorten(text: string, words: string): string {
  return cutAroundMatch(text.replace(/\s+/g, " ").trim(), words, EXCERPT);
}

/** Remove the signs of Markdown at the beginning of lines, and those of emphasis. */
function dropMarkup(text: string): string {
  return text.replace(/^[ \t]*(?:#{1,6}|>|[-*+])[ \t]+/gm, "").replace(/\*\*|__/g, "");
}
