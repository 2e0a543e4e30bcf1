/**
 * Tool calls as elements in a message's text: made once, and rewritten when they end.
 *
 * The server has the same in `pincite/events/markup.py`; the tests of both read `tests/events/markup_cases.json`.
 * Characters and spaces are named here one by one because the two languages count and class them differently.
 */

type Attributes = Readonly<Record<string, string>>;
type Pairs = Map<string, string>;

/** What an event says of a call. */
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

const LONGEST = 200; // characters of an attribute
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the spaces that the server knows.
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
const ELEMENT = /<(ToolCall|SubagentExecution)((?: [A-Za-z][A-Za-z0-9_-]*="[^"]*")+)><\/\1>/g;
const PARTS = / ([A-Za-z][A-Za-z0-9_-]*)="([^"]*)"/g;
const IDS = ["toolCallId", "subagentId"];
const OWN = new Set(["status", ...IDS]); // attributes that no tool may set
const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** An attribute as it is sent: one line, and not too long. */
export function shortened(value: string, most = LONGEST): string {
  const line = value.replace(SPACES, " ").replace(/^ | $/g, "");
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

/** The element for a tool call that begins. */
export function toolCall(name: string, id: string, status = "running", attributes: Attributes = {}): string {
  const own = new Map([
    ["type", name],
    ["status", status],
    ["toolCallId", id],
  ]);
  return element("ToolCall", merged(own, pairs(attributes)));
}

/** The element for a subagent that begins. */
export function subagent(name: string, id: string, task: string): string {
  return element(
    "SubagentExecution",
    new Map([
      ["name", name],
      ["status", "running"],
      ["subagentId", id],
      ["task", task],
    ]),
  );
}

/** A text in which the call with this id has its new status, and these attributes besides those it had. */
export function finished(text: string, id: string, status: string, attributes: Attributes = {}): string {
  const own = escaped(shortened(id));
  const added = new Map([...pairs(attributes)].map(([key, value]) => [key, escaped(shortened(value))]));
  return text.replace(ELEMENT, (whole, name: string, said: string) => {
    const had: Pairs = new Map(Array.from(said.matchAll(PARTS), ([, key = "", value = ""]) => [key, value]));
    if (!IDS.some((key) => had.get(key) === own)) return whole;
    return written(name, merged(had, added).set("status", escaped(shortened(status))));
  });
}

/** The elements of all calls among some events, each as it stands after the last of them. */
export function activity(said: readonly CallEvent[]): string {
  let text = "";
  for (const { type, data } of said) {
    const id = data.toolCallId || data.subagentId || "";
    if (type === "tool_call_started" || type === "subagent_started") text += data.content ?? "";
    else if (type === "tool_call_success") text = finished(text, id, "success", data.extra);
    else if (type === "subagent_completed") text = finished(text, id, "success", { summary: data.summary ?? "" });
    else if (type === "tool_call_error" || type === "subagent_error")
      text = finished(text, id, "error", { error: data.error ?? "" });
  }
  return text;
}

/** Attributes of a call with those of its end, as its element has them. */
export function withAttributes(had: Attributes, more: Attributes): Record<string, string> {
  const known = [...merged(pairs(had), pairs(more))].filter(([key]) => NAME.test(key));
  return Object.fromEntries(known.map(([key, value]) => [key, shortened(value)]));
}

/** Attributes with others, which take the place of those of the same name; those of the call itself stay. */
function merged(had: Pairs, more: Pairs): Pairs {
  return new Map([...had, ...[...more].filter(([key]) => !OWN.has(key))]);
}

function pairs(attributes: Attributes): Pairs {
  return new Map(Object.entries(attributes));
}

function element(name: string, attributes: Pairs): string {
  return written(name, new Map([...attributes].map(([key, value]) => [key, escaped(shortened(value))])));
}

function written(name: string, attributes: Pairs): string {
  const said = [...attributes].filter(([key]) => NAME.test(key)).map(([key, value]) => `${key}="${value}"`);
  return `<${name} ${said.join(" ")}></${name}>`;
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
