import type { Nodes } from "hast";
import { createContext, memo, useContext, useMemo } from "react";
import Markdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useWords } from "../words";
import { bare } from "./bare";
import { Chip } from "./Chip";
import { Code } from "./Code";
import { pinned } from "./pinned";
import { Says } from "./Says";
import { anchorOf } from "./sections";
import type { Turn } from "./turns";

const Answered = createContext<Turn | null>(null);
const SAFE = /^(https?:\/\/|mailto:)/i;
/** The marks a model writes after a sentence, as [3.2] or [3.2, 4.1]; what is joined to a word is none. */
const MARKS = /(?:[^\S\n]+|(?<![\w)\]]))(?:\[\d{1,4}(?:\.\d{1,4})?(?:\s*[,;]\s*\d{1,4}(?:\.\d{1,4})?)*\])+(?!\()/g;
const SOFT_EDGE = /^[\s\u200b]+/;

/** An answer's words, with its citations where they belong. */
export const Prose = memo(function Prose({ turn }: { turn: Turn }) {
  const isRunning = turn.state === "running";
  const { text, sentences } = turn;
  const said = useMemo(() => bare(text, sentences, isRunning), [text, sentences, isRunning]);
  return (
    <Answered value={turn}>
      <div
        className="answer"
        data-answer={turn.id}
        data-report={turn.outline.length > 0 || undefined}
        aria-busy={isRunning}
      >
        <Markdown
          remarkPlugins={[remarkGfm, [pinned, said]]}
          components={COMPONENTS}
          urlTransform={(url) => (isSafe(url) ? url : null)}
        >
          {said.text}
        </Markdown>
      </div>
    </Answered>
  );
});

/** Words in Markdown that nobody judged, drawn as answers are; marks of sources, which are numbered apart, are left out. */
export const Plain = memo(function Plain({ text }: { text: string }) {
  const said = useMemo(() => ({ text: text.replace(MARKS, ""), placed: [] }), [text]);
  return (
    <div className="answer plain">
      <Markdown
        remarkPlugins={[remarkGfm, [pinned, said]]}
        components={COMPONENTS}
        urlTransform={(url) => (isSafe(url) ? url : null)}
      >
        {said.text}
      </Markdown>
    </div>
  );
});

/** Read a little Markdown while nobody waits: the first words of the first answer are there twice as fast then. */
export function warm(): void {
  window.requestIdleCallback?.(() => {
    const said = bare("- **One** `two` [three](https://example.org). [1]", [], true);
    Markdown({ children: said.text, remarkPlugins: [remarkGfm, [pinned, said]], components: COMPONENTS });
  });
}

/** Whether an address may be followed from here. */
export function isSafe(url: string): boolean {
  return SAFE.test(url.replace(SOFT_EDGE, ""));
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <Away href={href}>{children}</Away>,
  img: ({ src, alt }) => <Picture src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  // The question is a heading of the second level: an answer's own stand below it.
  h1: (props) => <Heading {...props} as="h3" />,
  h2: (props) => <Heading {...props} as="h3" />,
  h3: (props) => <Heading {...props} as="h4" />,
  h4: (props) => <Heading {...props} as="h5" />,
  h5: (props) => <Heading {...props} as="h6" />,
  pre: Block,
  cite: Pin,
  small: Said,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className="answer-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span>,
};

interface HeadingProps extends ExtraProps {
  as: "h3" | "h4" | "h5" | "h6";
  children?: React.ReactNode;
}

/** A heading; a section of a report has an address of its own. */
function Heading({ as: Level, node, children }: HeadingProps) {
  const turn = useContext(Answered);
  if (!turn?.outline.length || Level !== "h3") return <Level>{children}</Level>;
  return (
    <Level id={anchorOf(turn.id, textOf(node))} tabIndex={-1}>
      {children}
    </Level>
  );
}

/** The words of an element, without its citations. */
function textOf(node: Nodes | undefined): string {
  if (node?.type === "text") return node.value;
  if (!node || !("children" in node) || (node.type === "element" && node.tagName === "cite")) return "";
  return node.children.map(textOf).join("");
}

function Away({ href, children }: { href: string | undefined; children: React.ReactNode }) {
  if (!href) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** An image of an answer is not loaded: whoever wants it may follow its link. */
function Picture({ src, alt }: { src: string; alt: string }) {
  const say = useWords();
  return (
    <span className="answer-picture">
      {say("conversation.picture", { alt: alt || "–" })}{" "}
      {src && <Away href={src}>{say("conversation.pictureOpen")}</Away>}
    </span>
  );
}

function Block({ node }: ExtraProps) {
  const code = node?.children.find((each) => each.type === "element");
  if (code?.type !== "element") return null;
  const names = code.properties.className;
  const language = Array.isArray(names) ? String(names[0] ?? "").replace(/^language-/, "") : "";
  const text = code.children.map((each) => (each.type === "text" ? each.value : "")).join("");
  return <Code text={text} language={language} />;
}

function Pin({ node }: ExtraProps) {
  const turn = useContext(Answered);
  const { dataN, dataSentence } = node?.properties ?? {};
  const sentence = turn?.sentences[Number(dataSentence)];
  return turn && sentence ? (
    <Chip turn={turn} sentence={sentence} index={Number(dataSentence)} n={Number(dataN)} />
  ) : null;
}

function Said({ node }: ExtraProps) {
  const turn = useContext(Answered);
  const indexes = String(node?.properties.dataSentences ?? "").split(" ");
  const sentences = indexes.map((index) => turn?.sentences[Number(index)]).filter((each) => each !== undefined);
  return turn ? <Says turn={turn} sentences={sentences} /> : null;
}
