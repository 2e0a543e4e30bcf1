import { createContext, memo, useContext, useMemo } from "react";
import Markdown, { type Components, type ExtraProps } from "react-markdown";
import remarkGfm from "remark-gfm";
import { useWords } from "../words";
import { bare } from "./bare";
import { Chip } from "./Chip";
import { Code } from "./Code";
import { pinned } from "./pinned";
import type { Turn } from "./turns";

const Answered = createContext<Turn | null>(null);
const SAFE = /^(https?:\/\/|mailto:)/i;
const SOFT_EDGE = /^[\s\u200b]+/;

/** An answer's words, with its citations where they belong. */
export const Prose = memo(function Prose({ turn }: { turn: Turn }) {
  const isRunning = turn.state === "running";
  const { text, sentences } = turn;
  const said = useMemo(() => bare(text, sentences, isRunning), [text, sentences, isRunning]);
  return (
    <Answered value={turn}>
      <div className="answer" data-answer={turn.id} aria-busy={isRunning}>
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
  pre: Block,
  cite: Pin,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <div className="answer-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span>,
};

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
