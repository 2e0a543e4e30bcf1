/** A remark plugin that wraps sentences in spans, adds their citations, and adds notes at the end of blocks. */
import type { Blockquote, List, ListItem, Paragraph, PhrasingContent, Root, RootContent, Table, TableRow } from "mdast";
import { getVerdict } from "../citations/verdicts";
import type { NoBreakNode, NoteNode, NoteRowNode, PinNode, SentenceNode, UnsupportedNode } from "./citationNodes";
import { findSourceOffsets } from "./sourceOffsets";
import type { PlacedSentence, Span, StrippedText } from "./stripMarkers";

type Block = Root | Blockquote | List | ListItem | Table | TableRow;
type Words = { children: PhrasingContent[] };
/** A node and the index of its sentence: -1 outside of sentences, -2 in several. */
type Piece = { node: PhrasingContent; of: number };
type Holder = { children: RootContent[] };
/** Where a sentence ends: its citations come after `node` in `parent`. An empty cell has no node. */
type Last = { parent: Holder; node: RootContent | null; isBlock: boolean };
/** The block in which a sentence ends. */
type End = { parent: Holder; block: RootContent };
interface Found {
  lasts: Map<number, Last>;
  ends: Map<number, End>;
}

const OUTSIDE = -1;
const SEVERAL = -2;

/** Create the plugin for one text. */
export function remarkCitations(bare: StrippedText) {
  return (tree: Root): void => {
    const found: Found = { lasts: new Map(), ends: new Map() };
    walkBlocks(tree, bare, found);
    for (const [place, last] of found.lasts) insertPins(last, makePins(bare.placed[place]));
    insertNotes(found.ends, bare);
  };
}

/** Make the citation nodes of a sentence. */
function makePins(placed: PlacedSentence | undefined): PinNode[] {
  if (!placed?.sentence.support) return [];
  const { index, sentence } = placed;
  const numbers = sentence.citations.length ? [...new Set(sentence.citations)] : [0];
  return numbers.map((dataN) => ({
    type: "pin",
    children: [],
    data: { hName: "cite", hProperties: { dataSentence: index, dataN } },
  }));
}

function insertPins({ parent, node, isBlock }: Last, pins: PinNode[]): void {
  if (!pins.length) return;
  const at = node ? parent.children.indexOf(node) + 1 : parent.children.length;
  if (isBlock) parent.children.splice(at, 0, { type: "paragraph", children: pins });
  else if (node?.type === "sentence") node.children = keepWithLastWord(node.children, pins);
  else parent.children.splice(at, 0, ...pins);
}

/** Append citations to a sentence and keep them on one line with its last word. */
function keepWithLastWord(words: PhrasingContent[], pins: PinNode[]): PhrasingContent[] {
  const last = words.at(-1);
  const text = last?.type === "unsupported" ? last.children[0] : last;
  if (text?.type !== "text") return [...words, ...pins];
  const as = (value: string) =>
    last?.type === "unsupported" ? makeUnsupported(value) : { type: "text" as const, value };
  const [word = ""] = /\S{1,24}$/.exec(text.value) ?? [];
  const before = text.value.slice(0, text.value.length - word.length);
  const end: NoBreakNode = {
    type: "noBreak",
    children: [as(word), ...pins],
    data: { hName: "span", hProperties: { className: "kept" } },
  };
  return [...words.slice(0, -1), ...(before ? [as(before)] : []), end];
}

/** Insert the notes at the end of blocks, where they do not move the words of a sentence. */
function insertNotes(ends: Map<number, End>, { placed }: StrippedText): void {
  const said = new Map<RootContent, { parent: Holder; indexes: number[] }>();
  for (const [place, { parent, block }] of ends) {
    const each = placed[place];
    const form = each && getVerdict(each.sentence);
    if (!each || (form !== "contradicted" && form !== "unsupported")) continue;
    said.set(block, { parent, indexes: [...(said.get(block)?.indexes ?? []), each.index] });
  }
  for (const [block, { parent, indexes }] of said) {
    const at = parent.children.indexOf(block) + 1;
    if (block.type === "tableRow") parent.children.splice(at, 0, makeNoteRow(indexes, block.children.length));
    else if (block.type === "paragraph") block.children.push(makeNote(indexes));
    else parent.children.splice(at, 0, { type: "paragraph", children: [makeNote(indexes)] });
  }
}

function makeNote(indexes: number[]): NoteNode {
  const hProperties = { dataSentences: indexes.join(" ") };
  return { type: "note", children: [], data: { hName: "small", hProperties } };
}

function makeNoteRow(indexes: number[], colSpan: number): NoteRowNode {
  return {
    type: "noteRow",
    children: [{ type: "noteCell", children: [makeNote(indexes)], data: { hName: "td", hProperties: { colSpan } } }],
    data: { hName: "tr", hProperties: { className: "says-row" } },
  };
}

function walkBlocks(parent: Block, bare: StrippedText, found: Found): void {
  const { text, placed } = bare;
  parent.children = (parent.children as RootContent[]).map((node) =>
    convertToText(node, text),
  ) as typeof parent.children;
  const holder = parent as Holder;
  for (const node of holder.children) {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
      wrapWords(node, getSpan(node, text), bare, found.lasts);
      if (node.type !== "tableCell") recordEnd(node, holder, bare, found);
    } else if ("children" in node) {
      walkBlocks(node as Block, bare, found);
      if (node.type === "tableRow") recordRow(node, holder, bare, found);
    } else {
      for (const place of findSentences(getSpan(node, text), placed)) {
        found.lasts.set(place, { parent: holder, node, isBlock: true });
      }
      recordEnd(node, holder, bare, found);
    }
  }
}

/** Record that the sentences in this block end here, unless a later block follows. */
function recordEnd(block: RootContent, parent: Holder, { text, placed }: StrippedText, { ends }: Found): void {
  for (const place of findSentences(getSpan(block, text), placed)) ends.set(place, { parent, block });
}

/** Record that a sentence in a table row ends in the row's last cell, even if that is empty. */
function recordRow(node: TableRow, parent: Holder, bare: StrippedText, found: Found): void {
  recordEnd(node, parent, bare, found);
  const cell = node.children.at(-1);
  if (!cell) return;
  const { start } = getSpan(cell, bare.text);
  for (const place of findSentences(getSpan(node, bare.text), bare.placed)) {
    const reaches = (bare.placed[place]?.end ?? 0) > start;
    if (reaches && !isInside(found.lasts.get(place), [cell])) {
      found.lasts.set(place, { parent: cell as Holder, node: null, isBlock: false });
    }
  }
}

/** Return whether a sentence ends in one of these nodes. */
function isInside(last: Last | undefined, nodes: readonly object[]): boolean {
  return nodes.some(
    (each) => each === last?.parent || ("children" in each && isInside(last, each.children as readonly object[])),
  );
}

/** Find the sentences that overlap a range of the text. */
function findSentences({ start, end }: Span, placed: readonly PlacedSentence[]): number[] {
  return placed.flatMap((each, place) => (each.start < end && each.end > start ? [place] : []));
}

/**
 * Convert to plain text what Markdown would hide or pass on raw: HTML, and definitions, which could turn our marks into
 * links.
 */
function convertToText(node: RootContent, text: string): RootContent {
  if (node.type !== "html" && node.type !== "definition" && node.type !== "footnoteDefinition") return node;
  const { start, end } = getSpan(node, text);
  const value = { type: "text" as const, value: text.slice(start, end), ...copyPosition(node) };
  const made: Paragraph = { type: "paragraph", children: [value], ...copyPosition(node) };
  return made;
}

/** Wrap the sentences in one run of words. */
function wrapWords(parent: Words, inside: Span, bare: StrippedText, lasts: Map<number, Last>): void {
  parent.children = wrapSentences(splitNodes(parent, inside, bare, lasts, null), bare, lasts, parent, null);
}

/** Split nodes at the ends of sentences. `link` is the link around them, if any: citations must not be inside it. */
function splitNodes(
  parent: Words,
  inside: Span,
  bare: StrippedText,
  lasts: Map<number, Last>,
  link: Last | null,
): Piece[] {
  const found: Piece[] = [];
  let from = inside.start;
  for (const [place, node] of parent.children.entries()) {
    // An address that was recognised after parsing has no position. It is between its neighbours.
    const own = node.position
      ? getSpan(node, bare.text)
      : { start: from, end: findRunEnd(parent.children, place, inside, bare) };
    if (node.type === "text" || node.type === "html" || node.type === "footnoteReference") {
      const value = node.type === "footnoteReference" ? bare.text.slice(own.start, own.end) : node.value;
      const parts = splitText(value, own, bare);
      found.push(...parts.pieces);
      from = node.position ? own.end : parts.end;
    } else if ("children" in node) {
      const holder = { parent, node, isBlock: false } as Last;
      const around = link ?? (node.type === "link" || node.type === "linkReference" ? holder : null);
      const inner = splitNodes(node as Words, own, bare, lasts, around);
      const of = inner.every((each) => each.of === inner[0]?.of) ? (inner[0]?.of ?? OUTSIDE) : SEVERAL;
      node.children = (
        of === SEVERAL ? wrapSentences(inner, bare, lasts, node as Words, around) : inner.map((each) => each.node)
      ) as never;
      found.push({ node, of });
      from = own.end;
    } else {
      found.push({ node, of: findSentenceAt(bare.placed, own.start) });
      from = own.end;
    }
  }
  return found;
}

/** Find the end of a run of nodes without a position. */
function findRunEnd(nodes: PhrasingContent[], place: number, inside: Span, { text }: StrippedText): number {
  const next = nodes.slice(place).find((each) => each.position);
  return next ? getSpan(next, text).start : inside.end;
}

/** Split a text at the ends of its sentences, and return where it ends in the source. */
function splitText(
  value: string,
  { start, end }: Span,
  { text, placed }: StrippedText,
): { pieces: Piece[]; end: number } {
  const places = findSourceOffsets(text.slice(start, end), value).map((each) => each + start);
  const found: Piece[] = [];
  let from = 0;
  const push = (to: number, of: number, make: (value: string) => PhrasingContent = makeText) => {
    if (to > from) found.push({ node: make(value.slice(from, to)), of });
    from = Math.max(from, to);
  };
  for (const place of findSentences({ start, end }, placed)) {
    const each = placed[place];
    if (!each) continue;
    push(findIndexFrom(places, each.start, value.length), OUTSIDE);
    for (const part of each.unsupported) {
      push(findIndexFrom(places, part.start, value.length), place);
      push(findIndexFrom(places, part.end, value.length), place, makeUnsupported);
    }
    push(findIndexFrom(places, each.end, value.length), place);
  }
  push(value.length, OUTSIDE);
  return { pieces: found, end: places.at(-1) ?? end };
}

function makeText(value: string): PhrasingContent {
  return { type: "text", value };
}

function makeUnsupported(value: string): UnsupportedNode {
  return {
    type: "unsupported",
    children: [{ type: "text", value }],
    data: { hName: "u", hProperties: { className: "loose" } },
  };
}

/** Find the first character at `offset` or after it. */
function findIndexFrom(places: number[], offset: number, otherwise: number): number {
  const found = places.findIndex((each) => each >= offset);
  return found < 0 ? otherwise : Math.min(found, otherwise);
}

/** Wrap neighbouring nodes of one sentence in one span, and record where each sentence ends. */
function wrapSentences(
  pieces: Piece[],
  bare: StrippedText,
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
      group = makeSentence(bare.placed[of], node);
      made.push(group);
      lasts.set(of, link ?? ({ parent, node: group, isBlock: false } as Last));
    }
    current = of;
  }
  return made;
}

function makeSentence(placed: PlacedSentence | undefined, node: PhrasingContent): SentenceNode {
  const hProperties = {
    className: "sentence",
    dataSentence: placed?.index ?? 0,
    dataForm: (placed && getVerdict(placed.sentence)) ?? "none",
  };
  return { type: "sentence", children: [node], data: { hName: "span", hProperties } };
}

function findSentenceAt(placed: PlacedSentence[], offset: number): number {
  return placed.findIndex((each) => each.start <= offset && offset < each.end);
}

function copyPosition(node: RootContent) {
  return node.position ? { position: node.position } : {};
}

function getSpan(node: RootContent, text: string): Span {
  return { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? text.length };
}
