import type { Root, RootContent } from "hast";
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "../look/Icon";
import { useWords } from "../words";
import { copied } from "./copying";

type Highlighter = typeof import("./highlighting");
let loading: Promise<Highlighter> | null = null;
const LONGEST = 50_000;

/** A block of code, coloured as soon as the colours are there, with a button that copies it. */
export function Code({ text, language }: { text: string; language: string }) {
  const say = useWords();
  const highlighter = useHighlighter(language !== "" && text.length < LONGEST);
  const coloured = highlighter?.highlighted(text, language) ?? null;
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{coloured ? drawn(coloured) : text}</code>
      </pre>
      <button
        type="button"
        className="icon-button"
        aria-label={say("conversation.copyCode")}
        title={say("conversation.copyCode")}
        onClick={() => copied(text, say)}
      >
        <Icon name="copy" size={16} />
      </button>
    </div>
  );
}

function useHighlighter(isWanted: boolean): Highlighter | null {
  const [highlighter, set] = useState<Highlighter | null>(null);
  useEffect(() => {
    if (!isWanted) return;
    let isGone = false;
    loading ??= import("./highlighting");
    loading.then(
      (loaded) => !isGone && set(loaded),
      () => {
        loading = null;
      },
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return highlighter;
}

function drawn(tree: Root): ReactNode[] {
  const draw = (node: RootContent, place: number): ReactNode => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const names = node.properties.className;
    return (
      <span key={place} className={Array.isArray(names) ? names.join(" ") : ""}>
        {node.children.map(draw)}
      </span>
    );
  };
  return tree.children.map(draw);
}
