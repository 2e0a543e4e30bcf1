/** What a tool does or did, in words. */
import type { Evidence } from "../api/shapes";
import { namePage } from "../pageNames";
import { isLive, siteOf } from "../sites";
import type { Count, Key, Say } from "../words";
import type { Tool } from "./turns";

/** While it runs, when it is done, and when it failed. */
type Forms = Record<Tool["status"], Key>;

const forms = (running: Key, success: Key, error: Key): Forms => ({ running, success, error });
const SEARCH = forms("conversation.doing.search", "conversation.done.search", "conversation.failed.search");
const READ = forms("conversation.doing.read", "conversation.done.read", "conversation.failed.read");
const WEB = forms("conversation.doing.web", "conversation.done.web", "conversation.failed.web");
const OTHER = forms("conversation.doing.other", "conversation.done.other", "conversation.failed.other");

const DOING: Record<string, Forms> = {
  search_documents: SEARCH,
  file_search: SEARCH,
  web_search: WEB,
  search_web: WEB,
  scrape_web_page: READ,
  read_document: READ,
  url_summarization: forms("conversation.doing.summary", "conversation.done.summary", "conversation.failed.summary"),
  image_search: forms("conversation.doing.images", "conversation.done.images", "conversation.failed.images"),
  video_search: forms("conversation.doing.videos", "conversation.done.videos", "conversation.failed.videos"),
  youtube_transcript: forms(
    "conversation.doing.transcript",
    "conversation.done.transcript",
    "conversation.failed.transcript",
  ),
  pdf_loader: forms("conversation.doing.pdf", "conversation.done.pdf", "conversation.failed.pdf"),
  outline_document: forms("conversation.doing.outline", "conversation.done.outline", "conversation.failed.outline"),
  list_documents: forms("conversation.doing.list", "conversation.done.list", "conversation.failed.list"),
  calculate: forms("conversation.doing.calculate", "conversation.done.calculate", "conversation.failed.calculate"),
  navigate: forms("conversation.doing.navigate", "conversation.done.navigate", "conversation.failed.navigate"),
  highlight: forms("conversation.doing.highlight", "conversation.done.highlight", "conversation.failed.highlight"),
};
/** What a tool counts, where it is not passages. */
const FOUND: Record<string, Count> = {
  image_search: "conversation.foundPictures",
  video_search: "conversation.foundVideos",
};
const FIREFOX = "firefoxAI";

/** One line about a tool call: what, with what, and how much it found. */
export function toolWords(say: Say, tool: Tool, evidence: readonly Evidence[]): string {
  const given = tool.attributes;
  if (tool.name === FIREFOX || given.type === FIREFOX) return say("conversation.firefox");
  const parts = [say((DOING[tool.name] ?? OTHER)[tool.status], { name: tool.name })];
  const site = given.url ? siteOf(given.url) : "";
  if (site) parts.push(isLive(given.url) ? site : say("conversation.quoted", { words: site }));
  const words = given.query || given.words || given.expression || "";
  if (words) parts.push(say("conversation.quoted", { words }));
  const title = titleOf(given.document ?? "", evidence);
  if (title) parts.push(words ? say("conversation.in", { title }) : title);
  const line = [parts.join(" ")];
  const page = site ? null : numberOf(given.page);
  if (page) line.push(namePage(say, { page, label: isSlides(given.document ?? "", evidence) ? `slide ${page}` : "" }));
  if (given.evidence) line.push(say("conversation.source", { n: given.evidence }));
  return [line.join(", "), ...results(say, tool)].join(" · ");
}

/** What came of a call: how much was found, how many pages were read for it, which engines were silent. */
function results(say: Say, { name, attributes: given, status }: Tool): string[] {
  if (status === "running") return [];
  const told = [];
  const [found, pages, failed] = [numberOf(given.found), numberOf(given.pages), numberOf(given.failed)];
  if (found !== null) told.push(say.count(FOUND[name] ?? "conversation.found", found));
  if (pages) told.push(say.count(name === "pdf_loader" ? "conversation.pagesIn" : "conversation.pagesRead", pages));
  if (failed) told.push(say.count("conversation.pagesFailed", failed));
  if (given.unresponsive) told.push(say("conversation.unresponsive", { engines: given.unresponsive }));
  return told;
}

/** Seconds as people say them. */
export function duration(say: Say, seconds: number): string {
  const format = new Intl.NumberFormat(say.language, { maximumFractionDigits: seconds < 10 ? 1 : 0 });
  return say("conversation.seconds", { seconds: format.format(seconds) });
}

function numberOf(given: string | undefined): number | null {
  const number = Number(given);
  return given && Number.isFinite(number) ? number : null;
}

/** A document's title; a tool may have named it by its id or the beginning of it. */
function titleOf(name: string, evidence: readonly Evidence[]): string {
  return documentOf(name, evidence)?.title ?? name;
}

function isSlides(name: string, evidence: readonly Evidence[]): boolean {
  return documentOf(name, evidence)?.kind === "pptx";
}

function documentOf(name: string, evidence: readonly Evidence[]): Evidence | undefined {
  return name.length < 6 ? undefined : evidence.find((each) => each.document.startsWith(name));
}
