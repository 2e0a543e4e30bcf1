/** A remark plugin: sentences become spans, after each of them stand its citations, after a block what sources say. */
import type { Blockquote, List, ListItem, Paragraph, PhrasingContent, Root, RootContent, Table, TableRow } from "mdast";
import { aligned } from "./aligned";
import type { Bare, Placed, Span } from "./bare";
import { formOf } from "./forms";
import type { KeptNode, LooseNode, PinNode, SaysNode, SaysRowNode, SentenceNode } from "./nodes";

type Block = Root | Blockquote | List | ListItem | Table | TableRow;
type Words = { children: PhrasingContent[] };
/** A node and the sentence it is in: -1 outside of all, -2 in several. */
type Piece = { node: PhrasingContent; of: number };
type Holder = { children: RootContent[] };
/** The last place of a sentence: its citations come after `node` in `parent`, in an empty cell there is none. */
type Last = { parent: Holder; node: RootContent | null; isBlock: boolean };
/** The last block of a sentence. */
type End = { parent: Holder; block: RootContent };
interface Found {
  lasts: Map<number, Last>;
  ends: Map<number, End>;
}

const OUTSIDE = -1;
const SEVERAL = -2;

/** The plugin for one bare text. */
export function pinned(bare: Bare) {
  return (tree: Root): void => {
    const found: Found = { lasts: new Map(), ends: new Map() };
    blocks(tree, bare, found);
    for (const [place, last] of found.lasts) put(last, pinsOf(bare.placed[place]));
    say(found.ends, bare);
  };
}

/** The places of the citations that follow a sentence. */
function pinsOf(placed: Placed | undefined): PinNode[] {
  if (!placed?.sentence.support) return [];
  const { index, sentence } = placed;
  const numbers = sentence.citations.length ? [...new Set(sentence.citations)] : [0];
  return numbers.map((dataN) => ({
    type: "pin",
    children: [],
    data: { hName: "cite", hProperties: { dataSentence: index, dataN } },
  }));
}

function put({ parent, node, isBlock }: Last, pins: PinNode[]): void {
  if (!pins.length) return;
  const at = node ? parent.children.indexOf(node) + 1 : parent.children.length;
  if (isBlock) parent.children.splice(at, 0, { type: "paragraph", children: pins });
  else if (node?.type === "sentence") node.children = kept(node.children, pins);
  else parent.children.splice(at, 0, ...pins);
}

/** A sentence's words with its citations at the end, which no line's end parts from the last word. */
function kept(words: PhrasingContent[], pins: PinNode[]): PhrasingContent[] {
  const last = words.at(-1);
  const text = last?.type === "loose" ? last.children[0] : last;
  if (text?.type !== "text") return [...words, ...pins];
  const as = (value: string) => (last?.type === "loose" ? loose(value) : { type: "text" as const, value });
  const [word = ""] = /\S{1,24}$/.exec(text.value) ?? [];
  const before = text.value.slice(0, text.value.length - word.length);
  const end: KeptNode = {
    type: "kept",
    children: [as(word), ...pins],
    data: { hName: "span", hProperties: { className: "kept" } },
  };
  return [...words.slice(0, -1), ...(before ? [as(before)] : []), end];
}

/** Put what is to be said of sentences at the end of their blocks, where it moves none of their words. */
function say(ends: Map<number, End>, { placed }: Bare): void {
  const said = new Map<RootContent, { parent: Holder; indexes: number[] }>();
  for (const [place, { parent, block }] of ends) {
    const each = placed[place];
    const form = each && formOf(each.sentence);
    if (!each || (form !== "contradicted" && form !== "unsupported")) continue;
    said.set(block, { parent, indexes: [...(said.get(block)?.indexes ?? []), each.index] });
  }
  for (const [block, { parent, indexes }] of said) {
    const at = parent.children.indexOf(block) + 1;
    if (block.type === "tableRow") parent.children.splice(at, 0, saysRow(indexes, block.children.length));
    else if (block.type === "paragraph") block.children.push(says(indexes));
    else parent.children.splice(at, 0, { type: "paragraph", children: [says(indexes)] });
  }
}

function says(indexes: number[]): SaysNode {
  const hProperties = { dataSentences: indexes.join(" ") };
  return { type: "says", children: [], data: { hName: "small", hProperties } };
}

function saysRow(indexes: number[], colSpan: number): SaysRowNode {
  return {
    type: "saysRow",
    children: [{ type: "saysCell", children: [says(indexes)], data: { hName: "td", hProperties: { colSpan } } }],
    data: { hName: "tr", hProperties: { className: "says-row" } },
  };
}

function blocks(parent: Block, bare: Bare, found: Found): void {
  const { text, placed } = bare;
  parent.children = (parent.children as RootContent[]).map((node) => asText(node, text)) as typeof parent.children;
  const holder = parent as Holder;
  for (const node of holder.children) {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
      words(node, span(node, text), bare, found.lasts);
      if (node.type !== "tableCell") end(node, holder, bare, found);
    } else if ("children" in node) {
      blocks(node as Block, bare, found);
      if (node.type === "tableRow") row(node, holder, bare, found);
    } else {
      for (const place of within(span(node, text), placed)) {
        found.lasts.set(place, { parent: holder, node, isBlock: true });
      }
      end(node, holder, bare, found);
    }
  }
}

/** Note that the sentences in a block end in it, as far as is known yet. */
function end(block: RootContent, parent: Holder, { text, placed }: Bare, { ends }: Found): void {
  for (const place of within(span(block, text), placed)) ends.set(place, { parent, block });
}

/** A sentence that is a row of a table is marked in the row's last cell, though that be empty. */
function row(node: TableRow, parent: Holder, bare: Bare, found: Found): void {
  end(node, parent, bare, found);
  const cell = node.children.at(-1);
  if (!cell) return;
  const { start } = span(cell, bare.text);
  for (const place of within(span(node, bare.text), bare.placed)) {
    const reaches = (bare.placed[place]?.end ?? 0) > start;
    if (reaches && !isInside(found.lasts.get(place), [cell])) {
      found.lasts.set(place, { parent: cell as Holder, node: null, isBlock: false });
    }
  }
}

/** Whether a sentence's last place is in one of these nodes. */
function isInside(last: Last | undefined, nodes: readonly object[]): boolean {
  return nodes.some(
    (each) => each === last?.parent || ("children" in each && isInside(last, each.children as readonly object[])),
  );
}

/** The places of the sentences that stand in a stretch of the text, whole or in part. */
function within({ start, end }: Span, placed: readonly Placed[]): number[] {
  return placed.flatMap((each, place) => (each.start < end && each.end > start ? [place] : []));
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
function words(parent: Words, inside: Span, bare: Bare, lasts: Map<number, Last>): void {
  parent.children = wrapped(pieces(parent, inside, bare, lasts, null), bare, lasts, parent, null);
}

/** The pieces of these nodes; `link` is the link around them, if any: citations may not stand inside it. */
function pieces(parent: Words, inside: Span, bare: Bare, lasts: Map<number, Last>, link: Last | null): Piece[] {
  const found: Piece[] = [];
  let from = inside.start;
  for (const [place, node] of parent.children.entries()) {
    // What was found to be an address after reading has no position: it stands between its neighbours.
    const own = node.position
      ? span(node, bare.text)
      : { start: from, end: until(parent.children, place, inside, bare) };
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
function until(nodes: PhrasingContent[], place: number, inside: Span, { text }: Bare): number {
  const next = nodes.slice(place).find((each) => each.position);
  return next ? span(next, text).start : inside.end;
}

/** A text at the ends of the sentences in it, and where it ends in the source. */
function cut(value: string, { start, end }: Span, { text, placed }: Bare): { pieces: Piece[]; end: number } {
  const places = aligned(text.slice(start, end), value).map((each) => each + start);
  const found: Piece[] = [];
  let from = 0;
  const push = (to: number, of: number, make: (value: string) => PhrasingContent = plain) => {
    if (to > from) found.push({ node: make(value.slice(from, to)), of });
    from = Math.max(from, to);
  };
  for (const place of within({ start, end }, placed)) {
    const each = placed[place];
    if (!each) continue;
    push(first(places, each.start, value.length), OUTSIDE);
    for (const part of each.loose) {
      push(first(places, part.start, value.length), place);
      push(first(places, part.end, value.length), place, loose);
    }
    push(first(places, each.end, value.length), place);
  }
  push(value.length, OUTSIDE);
  return { pieces: found, end: places.at(-1) ?? end };
}

function plain(value: string): PhrasingContent {
  return { type: "text", value };
}

function loose(value: string): LooseNode {
  return {
    type: "loose",
    children: [{ type: "text", value }],
    data: { hName: "u", hProperties: { className: "loose" } },
  };
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
    dataForm: (placed && formOf(placed.sentence)) ?? "none",
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
