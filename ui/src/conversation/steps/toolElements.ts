/**
 * Tool calls as elements in a message's text. They are written when a call begins and rewritten when it ends.
 *
 * The server has the same code in `pincite/events/markup.py`; the tests of both read `tests/events/markup_cases.json`.
 * Characters and spaces are listed one by one because Python and JavaScript count and classify them differently.
 */

type Attributes = Readonly<Record<string, string>>;
type Pairs = Map<string, string>;

/** An event about a tool call or subagent. */
interface CallEvent {
  type: string;
  data: {
    content?: string;
    toolCallId?: string;
    subagentId?: string;
    extra?: Attributes;
    summary?: string;
    error?: string;
  };
}

const MAX_ATTRIBUTE = 200; // characters of an attribute
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the spaces of the server's language
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const ELEMENT = /<(ToolCall|SubagentExecution)((?: [A-Za-z][A-Za-z0-9_-]*="[^"]*")+)><\/\1>/g;
const PARTS = / ([A-Za-z][A-Za-z0-9_-]*)="([^"]*)"/g;
const IDS = ["toolCallId", "subagentId"];
const RESERVED = new Set(["status", ...IDS]); // attributes that no tool may set
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** Shorten an attribute to one line of limited length. */
export function shorten(value: string, most = MAX_ATTRIBUTE): string {
  const line = value.replace(SPACES, " ").replace(/^ | $/g, "");
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

/** Write the element of a tool call that begins. */
export function writeToolCall(name: string, id: string, status = "running", attributes: Attributes = {}): string {
  const own = new Map([
    ["type", name],
    ["status", status],
    ["toolCallId", id],
  ]);
  return makeElement("ToolCall", mergePairs(own, toPairs(attributes)));
}

/** Write the element of a subagent that begins. */
export function writeSubagent(name: string, id: string, task: string): string {
  return makeElement(
    "SubagentExecution",
    new Map([
      ["name", name],
      ["status", "running"],
      ["subagentId", id],
      ["task", task],
    ]),
  );
}

/** Give the call with this id its new status and more attributes in a text. */
export function finishCall(text: string, id: string, status: string, attributes: Attributes = {}): string {
  const own = escapeHtml(shorten(id));
  const added = new Map([...toPairs(attributes)].map(([key, value]) => [key, escapeHtml(shorten(value))]));
  return text.replace(ELEMENT, (whole, name: string, said: string) => {
    const had: Pairs = new Map(Array.from(said.matchAll(PARTS), ([, key = "", value = ""]) => [key, value]));
    if (!IDS.some((key) => had.get(key) === own)) return whole;
    return writeElement(name, mergePairs(had, added).set("status", escapeHtml(shorten(status))));
  });
}

/** Write the elements of all calls in these events, in their final state. */
export function writeActivity(said: readonly CallEvent[]): string {
  let text = "";
  for (const { type, data } of said) {
    const id = data.toolCallId || data.subagentId || "";
    if (type === "tool_call_started" || type === "subagent_started") text += data.content ?? "";
    else if (type === "tool_call_success") text = finishCall(text, id, "success", data.extra);
    else if (type === "subagent_completed") text = finishCall(text, id, "success", { summary: data.summary ?? "" });
    else if (type === "tool_call_error" || type === "subagent_error")
      text = finishCall(text, id, "error", { error: data.error ?? "" });
  }
  return text;
}

/** Merge the attributes of a call with those of its end, as its element has them. */
export function mergeAttributes(had: Attributes, more: Attributes): Record<string, string> {
  const known = [...mergePairs(toPairs(had), toPairs(more))].filter(([key]) => NAME.test(key));
  return Object.fromEntries(known.map(([key, value]) => [key, shorten(value)]));
}

/** Merge attributes; new ones replace those of the same name, but not the call's own. */
function mergePairs(had: Pairs, more: Pairs): Pairs {
  return new Map([...had, ...[...more].filter(([key]) => !RESERVED.has(key))]);
}

function toPairs(attributes: Attributes): Pairs {
  return new Map(Object.entries(attributes));
}

function makeElement(name: string, attributes: Pairs): string {
  return writeElement(name, new Map([...attributes].map(([key, value]) => [key, escapeHtml(shorten(value))])));
}

function writeElement(name: string, attributes: Pairs): string {
  const said = [...attributes].filter(([key]) => NAME.test(key)).map(([key, value]) => `${key}="${value}"`);
  return `<${name} ${said.join(" ")}></${name}>`;
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
