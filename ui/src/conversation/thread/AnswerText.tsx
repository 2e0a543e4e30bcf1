import type { Nodes } from "hast";
import { createContext, memo, useContext, useMemo } from "react";
import Markdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useTranslate } from "../../i18n";
import { CitationChip } from "../citations/CitationChip";
import { SentenceNotes } from "../citations/SentenceNotes";
import { type HiddenMath, hideMath } from "../markdown/hideMath";
import { remarkCitations } from "../markdown/remarkCitations";
import { remarkMath } from "../markdown/remarkMath";
import { type StrippedText, stripMarkers } from "../markdown/stripMarkers";
import { makeAnchor } from "../report/reportSections";
import type { Turn } from "../turns";
import { CodeBlock } from "./CodeBlock";
import { Formula } from "./Formula";

const TurnContext = createContext<Turn | null>(null);
const SAFE_SCHEME = /^(https?:\/\/|mailto:)/i;
/** The citation marks that a model writes, as [3.2] or [3.2, 4.1]. A mark joined to a word does not count. */
const MARKS = /(?:[^\S\n]+|(?<![\w)\]]))(?:\[\d{1,4}(?:\.\d{1,4})?(?:\s*[,;]\s*\d{1,4}(?:\.\d{1,4})?)*\])+(?!\()/g;
const SOFT_EDGE = /^[\s\u200b]+/;

/** The text of an answer with its citations. */
export const AnswerText = memo(function Prose({ turn }: { turn: Turn }) {
  const isRunning = turn.state === "running";
  const { text, sentences } = turn;
  const { said, math } = useMemo(
    () => prepareMath(stripMarkers(text, sentences, isRunning)),
    [text, sentences, isRunning],
  );
  return (
    <TurnContext value={turn}>
      <div
        className="answer"
        data-answer={turn.id}
        data-report={turn.outline.length > 0 || undefined}
        aria-busy={isRunning}
      >
        <Markdown
          remarkPlugins={[remarkGfm, [remarkMath, math], [remarkCitations, said]]}
          components={COMPONENTS}
          urlTransform={(url) => (isSafeLink(url) ? url : null)}
        >
          {said.text}
        </Markdown>
      </div>
    </TurnContext>
  );
});

/**
 * Markdown without verdicts, rendered like an answer. Its citation marks are removed: they have their own numbers. In a
 * person's own words numbers in brackets are no marks, and stay.
 */
export const PlainMarkdown = memo(function Plain({ text, isOwn = false }: { text: string; isOwn?: boolean }) {
  const { said, math } = useMemo(
    () => prepareMath({ text: isOwn ? text : text.replace(MARKS, ""), placed: [] }),
    [text, isOwn],
  );
  return (
    <div className="answer brief">
      <Markdown
        remarkPlugins={[remarkGfm, [remarkMath, math], [remarkCitations, said]]}
        components={COMPONENTS}
        urlTransform={(url) => (isSafeLink(url) ? url : null)}
      >
        {said.text}
      </Markdown>
    </div>
  );
});

/** Hide the formulas of a text from the Markdown parser. */
function prepareMath(said: StrippedText): { said: StrippedText; math: HiddenMath } {
  const math = hideMath(said.text);
  return { said: { ...said, text: math.text }, math };
}

/** Parse a little Markdown while the page is idle. The first words of the first answer then appear twice as fast. */
export function warmUpMarkdown(): void {
  window.requestIdleCallback?.(() => {
    const said = stripMarkers("- **One** `two` [three](https://example.org). [1]", [], true);
    Markdown({ children: said.text, remarkPlugins: [remarkGfm, [remarkCitations, said]], components: COMPONENTS });
  });
}

/** Return whether a link is safe to follow. */
export function isSafeLink(url: string): boolean {
  return SAFE_SCHEME.test(url.replace(SOFT_EDGE, ""));
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <ExternalLink href={href}>{children}</ExternalLink>,
  img: ({ src, alt }) => <PictureLink src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
  // The question is an <h2>, so the headings of an answer come below it.
  h1: (props) => <Heading {...props} as="h3" />,
  h2: (props) => <Heading {...props} as="h3" />,
  h3: (props) => <Heading {...props} as="h4" />,
  h4: (props) => <Heading {...props} as="h5" />,
  h5: (props) => <Heading {...props} as="h6" />,
  pre: FencedCode,
  cite: Citation,
  small: Notes,
  var: ({ node }) => (
    <Formula tex={String(node?.properties.dataTex ?? "")} isDisplay={node?.properties.dataDisplay === true} />
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
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

/** A heading. A section of a report has an anchor. */
function Heading({ as: Level, node, children }: HeadingProps) {
  const turn = useContext(TurnContext);
  if (!turn?.outline.length || Level !== "h3") return <Level>{children}</Level>;
  return (
    <Level id={makeAnchor(turn.id, getText(node))} tabIndex={-1}>
      {children}
    </Level>
  );
}

/** Return the text of an element without its citations. */
function getText(node: Nodes | undefined): string {
  if (node?.type === "text") return node.value;
  if (!node || !("children" in node) || (node.type === "element" && node.tagName === "cite")) return "";
  return node.children.map(getText).join("");
}

function ExternalLink({ href, children }: { href: string | undefined; children: React.ReactNode }) {
  if (!href) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** An image in an answer is not loaded. The reader may follow its link. */
function PictureLink({ src, alt }: { src: string; alt: string }) {
  const t = useTranslate();
  return (
    <span className="answer-picture">
      {t("conversation.picture", { alt: alt || "–" })}{" "}
      {src && <ExternalLink href={src}>{t("conversation.pictureOpen")}</ExternalLink>}
    </span>
  );
}

function FencedCode({ node }: ExtraProps) {
  const code = node?.children.find((each) => each.type === "element");
  if (code?.type !== "element") return null;
  const names = code.properties.className;
  const language = Array.isArray(names) ? String(names[0] ?? "").replace(/^language-/, "") : "";
  const text = code.children.map((each) => (each.type === "text" ? each.value : "")).join("");
  return <CodeBlock text={text} language={language} />;
}

function Citation({ node }: ExtraProps) {
  const turn = useContext(TurnContext);
  const { dataN, dataSentence } = node?.properties ?? {};
  const sentence = turn?.sentences[Number(dataSentence)];
  return turn && sentence ? (
    <CitationChip turn={turn} sentence={sentence} index={Number(dataSentence)} n={Number(dataN)} />
  ) : null;
}

function Notes({ node }: ExtraProps) {
  const turn = useContext(TurnContext);
  const indexes = String(node?.properties.dataSentences ?? "").split(" ");
  const sentences = indexes.map((index) => turn?.sentences[Number(index)]).filter((each) => each !== undefined);
  return turn ? <SentenceNotes turn={turn} sentences={sentences} /> : null;
}
