/** What a tool does or did, in words. */
import type { Evidence } from "../api/shapes";
import type { Key, Say } from "../words";
import type { Tool } from "./turns";

/** While it runs, and when it is done. */
const DOING: Record<string, readonly [Key, Key]> = {
  search_documents: ["conversation.doing.search", "conversation.done.search"],
  search_web: ["conversation.doing.web", "conversation.done.web"],
  outline_document: ["conversation.doing.outline", "conversation.done.outline"],
  read_document: ["conversation.doing.read", "conversation.done.read"],
  list_documents: ["conversation.doing.list", "conversation.done.list"],
  navigate: ["conversation.doing.navigate", "conversation.done.navigate"],
  highlight: ["conversation.doing.highlight", "conversation.done.highlight"],
};
const FIREFOX = "firefoxAI";

/** One line about a tool call: what, with what, and how much it found. */
export function toolWords(say: Say, tool: Tool, evidence: readonly Evidence[]): string {
  const given = tool.attributes;
  if (tool.name === FIREFOX || given.type === FIREFOX) return say("conversation.firefox");
  const words = given.query || given.words || given.url || "";
  const known = DOING[tool.name];
  const verb = known
    ? say(known[tool.status === "running" ? 0 : 1])
    : say(tool.status === "running" ? "conversation.doing.other" : "conversation.done.other", { name: tool.name });
  const parts = [verb];
  if (words) parts.push(say("conversation.quoted", { words }));
  const title = titleOf(given.document ?? "", evidence);
  if (title) parts.push(words ? say("conversation.in", { title }) : title);
  const line = parts.join(" ");
  const more = [];
  if (given.page) more.push(say("conversation.page", { page: given.page }));
  if (given.evidence) more.push(say("conversation.source", { n: given.evidence }));
  const found = Number(given.found);
  const count = given.found && Number.isFinite(found) ? ` · ${say.count("conversation.found", found)}` : "";
  return [line, ...more].join(", ") + count;
}

/** A document's title; a tool may have named it by its id or the beginning of it. */
function titleOf(name: string, evidence: readonly Evidence[]): string {
  if (name.length < 6) return name;
  return evidence.find((each) => each.document.startsWith(name))?.title ?? name;
}
