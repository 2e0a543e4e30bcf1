/** A remark plugin: sentences become spans, and after each of them stand its citations. */
import type { Blockquote, List, ListItem, Paragraph, PhrasingContent, Root, RootContent, Table, TableRow } from "mdast";
import { aligned } from "./aligned";
import type { Bare, Placed } from "./bare";
import type { KeptNode, PinNode, SentenceNode } from "./nodes";

type Block = Root | Blockquote | List | ListItem | Table | TableRow;
type Words = { children: PhrasingContent[] };
/** A node and the sentence it is in: -1 outside of all, -2 in several. */
type Piece = { node: PhrasingContent; of: number };
/** The last place of a sentence: its citations come after `node` in `parent`. */
type Last = { parent: { children: RootContent[] }; node: RootContent; isBlock: boolean };

const OUTSIDE = -1;
const SEVERAL = -2;

/** The plugin for one bare text. */
export function pinned(bare: Bare) {
  return (tree: Root): void => {
    const lasts = new Map<number, Last>();
    blocks(tree, bare, lasts);
    for (const [place, last] of lasts) put(last, pinsOf(bare.placed[place]));
  };
}

/** The places of the citations that follow a sentence. */
function pinsOf(placed: Placed | undefined): PinNode[] {
  if (!placed?.sentence.support) return [];
  const { index, sentence } = placed;
  const numbers = [...new Set(sentence.citations)];
  if (!numbers.length && sentence.support === "unsupported") numbers.push(0);
  return numbers.map((dataN) => ({
    type: "pin",
    children: [],
    data: { hName: "cite", hProperties: { dataSentence: index, dataN } },
  }));
}

function put({ parent, node, isBlock }: Last, pins: PinNode[]): void {
  if (!pins.length) return;
  const at = parent.children.indexOf(node) + 1;
  if (isBlock) parent.children.splice(at, 0, { type: "paragraph", children: pins });
  else if (node.type === "sentence") node.children = kept(node.children, pins);
  else parent.children.splice(at, 0, ...pins);
}

/** A sentence's words with its citations at the end, which no line's end parts from the last word. */
function kept(words: PhrasingContent[], pins: PinNode[]): PhrasingContent[] {
  const last = words.at(-1);
  if (last?.type !== "text") return [...words, ...pins];
  const [word = ""] = /\S{1,24}$/.exec(last.value) ?? [];
  const before: PhrasingContent[] =
    last.value === word ? [] : [{ ...last, value: last.value.slice(0, -word.length || undefined) }];
  const end: KeptNode = {
    type: "kept",
    children: [{ type: "text", value: word }, ...pins],
    data: { hName: "span", hProperties: { className: "kept" } },
  };
  return [...words.slice(0, -1), ...before, end];
}

function blocks(parent: Block, bare: Bare, lasts: Map<number, Last>): void {
  const { text, placed } = bare;
  parent.children = (parent.children as RootContent[]).map((node) => asText(node, text)) as typeof parent.children;
  for (const node of parent.children as RootContent[]) {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
      words(node, span(node, text), bare, lasts);
    } else if ("children" in node) {
      blocks(node as Block, bare, lasts);
    } else {
      const { start, end } = span(node, text);
      const holder = parent as Last["parent"];
      for (const [place, each] of placed.entries()) {
        if (each.start < end && each.end > start) lasts.set(place, { parent: holder, node, isBlock: true });
      }
    }
  }
}

/** What Markdown would hide or hand on raw, as the words it is: HTML, and definitions, which could make links of ours. */
function asText(node: RootContent, text: string): RootContent {
  if (node.type !== "html" && node.type !== "definition" && node.type !== "footnoteDefinition") return node;
  const { start, end } = span(node, text);
  const value = { type: "text" as const, value: text.slice(start, end), ...at(node) };
  const made: Paragraph = { type: "paragraph", children: [value], ...at(node) };
  return made;
}

/** Wrap the sentences in one run of words. */
function words(parent: Words, within: Span, bare: Bare, lasts: Map<number, Last>): void {
  parent.children = wrapped(pieces(parent, within, bare, lasts, null), bare, lasts, parent, null);
}

interface Span {
  start: number;
  end: number;
}

/** The pieces of these nodes; `link` is the link around them, if any: citations may not stand inside it. */
function pieces(parent: Words, within: Span, bare: Bare, lasts: Map<number, Last>, link: Last | null): Piece[] {
  const found: Piece[] = [];
  let from = within.start;
  for (const [place, node] of parent.children.entries()) {
    // What was found to be an address after reading has no position: it stands between its neighbours.
    const own = node.position
      ? span(node, bare.text)
      : { start: from, end: until(parent.children, place, within, bare) };
    if (node.type === "text" || node.type === "html" || node.type === "footnoteReference") {
      const value = node.type === "footnoteReference" ? bare.text.slice(own.start, own.end) : node.value;
      const parts = cut(value, own, bare);
      found.push(...parts.pieces);
      from = node.position ? own.end : parts.end;
    } else if ("children" in node) {
      const holder = { parent, node, isBlock: false } as Last;
      const around = link ?? (node.type === "link" || node.type === "linkReference" ? holder : null);
      const inner = pieces(node as Words, own, bare, lasts, around);
      const of = inner.every((each) => each.of === inner[0]?.of) ? (inner[0]?.of ?? OUTSIDE) : SEVERAL;
      node.children = (
        of === SEVERAL ? wrapped(inner, bare, lasts, node as Words, around) : inner.map((each) => each.node)
      ) as never;
      found.push({ node, of });
      from = own.end;
    } else {
      found.push({ node, of: sentenceAt(bare.placed, own.start) });
      from = own.end;
    }
  }
  return found;
}

/** Where the run of nodes without a position ends that begins here. */
function until(nodes: PhrasingContent[], place: number, within: Span, { text }: Bare): number {
  const next = nodes.slice(place).find((each) => each.position);
  return next ? span(next, text).start : within.end;
}

/** A text at the ends of the sentences in it, and where it ends in the source. */
function cut(value: string, { start, end }: Span, { text, placed }: Bare): { pieces: Piece[]; end: number } {
  const places = aligned(text.slice(start, end), value).map((each) => each + start);
  const found: Piece[] = [];
  let from = 0;
  const push = (to: number, of: number) => {
    if (to > from) found.push({ node: { type: "text", value: value.slice(from, to) }, of });
    from = Math.max(from, to);
  };
  for (const [place, each] of placed.entries()) {
    if (each.start >= end || each.end <= start) continue;
    push(first(places, each.start, value.length), OUTSIDE);
    push(first(places, each.end, value.length), place);
  }
  push(value.length, OUTSIDE);
  return { pieces: found, end: places.at(-1) ?? end };
}

/** The first character that stands at `offset` or after it. */
function first(places: number[], offset: number, otherwise: number): number {
  const found = places.findIndex((each) => each >= offset);
  return found < 0 ? otherwise : Math.min(found, otherwise);
}

/** The nodes with neighbours of one sentence in one span, noting where each sentence was last. */
function wrapped(
  pieces: Piece[],
  bare: Bare,
  lasts: Map<number, Last>,
  parent: Words,
  link: Last | null,
): PhrasingContent[] {
  const made: PhrasingContent[] = [];
  let group: SentenceNode | null = null;
  let current = OUTSIDE;
  for (const { node, of } of pieces) {
    if (of < 0) {
      group = null;
      made.push(node);
    } else if (group && of === current) {
      group.children.push(node);
    } else {
      group = sentence(bare.placed[of], node);
      made.push(group);
      lasts.set(of, link ?? ({ parent, node: group, isBlock: false } as Last));
    }
    current = of;
  }
  return made;
}

function sentence(placed: Placed | undefined, node: PhrasingContent): SentenceNode {
  const hProperties = {
    className: "sentence",
    dataSentence: placed?.index ?? 0,
    dataSupport: placed?.sentence.support ?? "none",
  };
  return { type: "sentence", children: [node], data: { hName: "span", hProperties } };
}

function sentenceAt(placed: Placed[], offset: number): number {
  return placed.findIndex((each) => each.start <= offset && offset < each.end);
}

function at(node: RootContent) {
  return node.position ? { position: node.position } : {};
}

function span(node: RootContent, text: string): Span {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? text.length };
}
