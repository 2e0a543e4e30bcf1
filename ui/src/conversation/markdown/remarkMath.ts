/** A remark plugin that turns the placeholders of formulas into nodes. It must run before the sentences are wrapped. */
import type { PhrasingContent, Root, RootContent, Text } from "mdast";
import { type HiddenMath, PLACEHOLDER } from "./hideMath";

/** A formula. The `var` component renders it. */
export interface FormulaNode {
  type: "formula";
  position?: Text["position"];
  data: { hName: "var"; hProperties: { dataTex: string; dataDisplay: boolean } };
}

declare module "mdast" {
  interface PhrasingContentMap {
    formula: FormulaNode;
  }
  interface RootContentMap {
    formula: FormulaNode;
  }
}

/** Create the plugin for one text. */
export function remarkMath(math: HiddenMath) {
  return (tree: Root): void => {
    if (math.formulas.length) splitChildren(tree, math);
  };
}

function splitChildren(parent: { children: RootContent[] }, math: HiddenMath): void {
  parent.children = parent.children.flatMap((node): RootContent[] => {
    if (node.type === "text") return splitText(node, math);
    if ("children" in node) splitChildren(node as { children: RootContent[] }, math);
    return [node];
  });
}

/** Split a text at its formulas. Each part knows its position in the source. */
function splitText(node: Text, { formulas }: HiddenMath): PhrasingContent[] {
  const first = node.position?.start.offset;
  const last = node.position?.end.offset;
  if (first === undefined || last === undefined) return [node];
  const own = formulas.filter(({ start, end }) => start >= first && end <= last);
  const words = node.value.split(PLACEHOLDER);
  if (!own.length || words.length !== own.length + 1) return [node];
  return words.flatMap((value, place): PhrasingContent[] => {
    const [before, after] = [own[place - 1], own[place]];
    const text: Text = { type: "text", value, ...locate(node, before?.end ?? first, after?.start ?? last) };
    return [...(value ? [text] : []), ...(after ? [makeFormula(node, after)] : [])];
  });
}

function makeFormula(node: Text, { tex, isDisplay, start, end }: HiddenMath["formulas"][number]): FormulaNode {
  const hProperties = { dataTex: tex, dataDisplay: isDisplay };
  return { type: "formula", data: { hName: "var", hProperties }, ...locate(node, start, end) };
}

function locate({ position }: Text, start: number, end: number): Pick<Text, "position"> {
  if (!position) return {};
  return { position: { start: { ...position.start, offset: start }, end: { ...position.end, offset: end } } };
}
