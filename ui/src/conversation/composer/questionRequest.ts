/** What is sent with a question: its options, and of the user's preferences only what is filled in and switched on. */
import type { QuestionRequest } from "../../api/types";
import { joinSystemModel, type Preferences, preferencesStore } from "../../settings/preferences";
import { viewerStore } from "../../viewer/viewerStore";
import {
  focusStore,
  notebookScopeStore,
  projectStore,
  recallOneQuestion,
  scopeStore,
  tagScopeStore,
} from "./questionOptions";

/**
 * Make the request for a question from its options and the user's preferences. If it replaces another, `replaced`, it is
 * about the documents that were chosen for that one alone.
 */
export function makeRequest(message: string, replaces?: string, replaced = ""): QuestionRequest {
  const chosen = scopeStore.get().map((each) => each.id);
  const documents = chosen.length || !replaces ? chosen : recallOneQuestion(replaced);
  const tags = tagScopeStore.get();
  const project = projectStore.get();
  const notebook = notebookScopeStore.get();
  const { isOpen, document: openDocument } = viewerStore.get();
  return {
    ...makeRequestFields(preferencesStore.get()),
    message,
    focusMode: focusStore.get(),
    ...(documents.length && { documents }),
    ...(tags.length && { tags }),
    ...(project && { project }),
    ...(notebook && { notebook: notebook.id }),
    ...(isOpen && openDocument && { openDocument }),
    ...(replaces && { replaces }),
  };
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
