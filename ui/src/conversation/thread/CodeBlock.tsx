import type { Root, RootContent } from "hast";
import { type ReactNode, useEffect, useState } from "react";
import { Icon } from "../../components/Icon";
import { useTranslate } from "../../i18n";
import { createLazy } from "../../state/lazy";
import { copyText } from "../../text/clipboard";

type Highlighter = typeof import("./syntaxHighlighting");
const loadHighlighter = createLazy<Highlighter>(() => import("./syntaxHighlighting"));
const MAX_HIGHLIGHTED = 50_000;

/**
 * A block of code with syntax highlighting, which is loaded on demand, and a button that copies it. `children` is the
 * text with marks in it.
 */
export function CodeBlock({ text, language, children }: { text: string; language: string; children?: ReactNode }) {
  const t = useTranslate();
  const highlighter = useHighlighter(language !== "" && text.length < MAX_HIGHLIGHTED);
  const coloured = highlighter?.highlightCode(text, language) ?? null;
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{children ?? (coloured ? renderTree(coloured) : text)}</code>
      </pre>
      <button
        type="button"
        className="icon-button"
        aria-label={t("conversation.copyCode")}
        title={t("conversation.copyCode")}
        onClick={() => copyText(text, t)}
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
    loadHighlighter().then(
      (loaded) => !isGone && set(loaded),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return highlighter;
}

function renderTree(tree: Root): ReactNode[] {
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
