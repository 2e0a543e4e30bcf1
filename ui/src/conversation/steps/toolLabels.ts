/** Labels for tool calls. */
import type { Evidence } from "../../api/types";
import type { CountKey, MessageKey, Translate } from "../../i18n";
import { namePage } from "../../text/pageNames";
import { getSite, isWebAddress } from "../../text/webAddresses";
import type { Tool } from "../turns";

/** The labels while it runs, when it is done, and when it failed. */
type Forms = Record<Tool["status"], MessageKey>;

const forms = (running: MessageKey, success: MessageKey, error: MessageKey): Forms => ({ running, success, error });
const SEARCH = forms("conversation.doing.search", "conversation.done.search", "conversation.failed.search");
const READ = forms("conversation.doing.read", "conversation.done.read", "conversation.failed.read");
const WEB = forms("conversation.doing.web", "conversation.done.web", "conversation.failed.web");
const OTHER = forms("conversation.doing.other", "conversation.done.other", "conversation.failed.other");

const LABELS: Record<string, Forms> = {
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
  read_notebook: forms("conversation.doing.notebook", "conversation.done.notebook", "conversation.failed.notebook"),
  read_files: forms("conversation.doing.files", "conversation.done.files", "conversation.failed.files"),
  search_project: forms("conversation.doing.project", "conversation.done.project", "conversation.failed.project"),
  list_files: forms("conversation.doing.folder", "conversation.done.folder", "conversation.failed.folder"),
  calculate: forms("conversation.doing.calculate", "conversation.done.calculate", "conversation.failed.calculate"),
  navigate: forms("conversation.doing.navigate", "conversation.done.navigate", "conversation.failed.navigate"),
  highlight: forms("conversation.doing.highlight", "conversation.done.highlight", "conversation.failed.highlight"),
};
/** The units of tools that do not find passages. */
const FOUND_KEYS: Record<string, CountKey> = {
  image_search: "conversation.foundPictures",
  video_search: "conversation.foundVideos",
};
const FIREFOX = "firefoxAI";

/** Write one line about a tool call: its action, its input, and how much it found. */
export function labelTool(t: Translate, tool: Tool, evidence: readonly Evidence[]): string {
  const given = tool.attributes;
  if (tool.name === FIREFOX || given.type === FIREFOX) return t("conversation.firefox");
  const parts = [t((LABELS[tool.name] ?? OTHER)[tool.status], { name: tool.name })];
  const site = given.url ? getSite(given.url) : "";
  if (site) parts.push(isWebAddress(given.url) ? site : t("conversation.quoted", { words: site }));
  const words = given.query || given.words || given.expression || "";
  if (words) parts.push(t("conversation.quoted", { words }));
  const paths = given.paths || given.folder || "";
  if (paths) parts.push(paths);
  const title = findTitle(given.document ?? "", evidence);
  if (title) parts.push(words ? t("conversation.in", { title }) : title);
  const line = [parts.join(" ")];
  const page = site ? null : parseNumber(given.page);
  if (page)
    line.push(namePage(t, { page, label: isPresentation(given.document ?? "", evidence) ? `slide ${page}` : "" }));
  if (given.evidence) line.push(t("conversation.source", { n: given.evidence }));
  return [line.join(", "), ...describeResults(t, tool)].join(" · ");
}

/** Describe the results of a call: how much was found, how many pages were read, which engines did not answer. */
function describeResults(t: Translate, { name, attributes: given, status }: Tool): string[] {
  if (status === "running") return [];
  const told = [];
  const [found, pages, failed] = [parseNumber(given.found), parseNumber(given.pages), parseNumber(given.failed)];
  if (found !== null) told.push(t.count(FOUND_KEYS[name] ?? "conversation.found", found));
  if (pages) told.push(t.count(name === "pdf_loader" ? "conversation.pagesIn" : "conversation.pagesRead", pages));
  if (failed) told.push(t.count("conversation.pagesFailed", failed));
  if (given.unresponsive) told.push(t("conversation.unresponsive", { engines: given.unresponsive }));
  return told;
}

/** Format a number of seconds. */
export function formatSeconds(t: Translate, seconds: number): string {
  const format = new Intl.NumberFormat(t.language, { maximumFractionDigits: seconds < 10 ? 1 : 0 });
  return t("conversation.seconds", { seconds: format.format(seconds) });
}

function parseNumber(given: string | undefined): number | null {
  const number = Number(given);
  return given && Number.isFinite(number) ? number : null;
}

/** Find a document's title. A tool may have named it by its id or the beginning of it. */
function findTitle(name: string, evidence: readonly Evidence[]): string {
  return findDocument(name, evidence)?.title ?? name;
}

function isPresentation(name: string, evidence: readonly Evidence[]): boolean {
  return findDocument(name, evidence)?.kind === "pptx";
}

function findDocument(name: string, evidence: readonly Evidence[]): Evidence | undefined {
  return name.length < 6 ? undefined : evidence.find((each) => each.document.startsWith(name));
}
