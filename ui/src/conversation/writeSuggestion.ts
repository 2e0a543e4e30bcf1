/** Suggestions for questions, in words. */
import type { components } from "../api/schema";
import { createTranslate, type Translate } from "../i18n";

export type Suggestion = components["schemas"]["Suggestion"];

/** Write a suggestion as a question, in the language of its document if the page has it. A heading may be one itself. */
export function writeSuggestion({ title, heading, language }: Suggestion, t: Translate): string {
  if (heading?.endsWith("?")) return heading;
  const own = language === "fr" || language === "en" ? createTranslate(language) : t;
  return heading
    ? own("conversation.suggest.heading", { title, heading })
    : own("conversation.suggest.title", { title });
}
