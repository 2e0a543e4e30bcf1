import { Icon } from "../look/Icon";
import { type Key, useWords } from "../words";
import { now } from "./Part";
import { motion } from "./scrolling";
import { type Chapter, chaptersOf, furtherOf, type Stage } from "./sections";
import type { Turn } from "./turns";

const STAGES: Record<Stage, Key> = {
  waiting: "conversation.outline.waiting",
  running: "conversation.outline.running",
  ready: "conversation.outline.ready",
  written: "conversation.outline.written",
  failed: "conversation.outline.failed",
};

/** A report's parts: how far each is while it is made, and its contents from then on. */
export function Outline({ turn }: { turn: Turn }) {
  const say = useWords();
  if (!turn.outline.length) return null;
  const isRunning = turn.state === "running";
  // What was not found has no place in the report, but in the section that says so.
  const chapters = chaptersOf(turn).filter(({ anchor }) => isRunning || anchor);
  const further = furtherOf(turn);
  if (!chapters.length && !further.length) return null;
  return (
    <nav className="outline" aria-label={say("conversation.outline")}>
      <h3 className="soft small">{say("conversation.outline")}</h3>
      <ol>
        {chapters.map((chapter) => (
          <li key={chapter.heading} data-stage={chapter.stage}>
            {isRunning && <Stand stage={chapter.stage} />}
            <span className="outline-heading">
              {chapter.anchor ? <ToSection anchor={chapter.anchor} heading={chapter.heading} /> : chapter.heading}
            </span>
            <span className="outline-now">{isRunning && doing(chapter, turn, say)}</span>
          </li>
        ))}
        {further.map(({ heading, anchor }) => (
          <li key={anchor} data-stage="written">
            {isRunning && <Stand stage="written" />}
            <span className="outline-heading">
              <ToSection anchor={anchor} heading={heading} />
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function ToSection({ anchor, heading }: { anchor: string; heading: string }) {
  return (
    <a
      href={`#${encodeURIComponent(anchor)}`}
      onClick={(event) => {
        const there = document.getElementById(anchor);
        if (!there) return;
        event.preventDefault();
        history.replaceState(history.state, "", `#${encodeURIComponent(anchor)}`);
        there.scrollIntoView({ block: "start", behavior: motion() });
        there.focus({ preventScroll: true });
      }}
    >
      {heading}
    </a>
  );
}

function Stand({ stage }: { stage: Stage }) {
  const say = useWords();
  if (stage === "running") return <span className="spinner" role="img" aria-label={say(STAGES.running)} />;
  return (
    <span className="step-status" data-is={ICONS[stage].is} role="img" aria-label={say(STAGES[stage])}>
      <Icon name={ICONS[stage].icon} size={16} />
    </span>
  );
}

/** What tells the stages apart, beside the words. */
const ICONS = {
  waiting: { icon: "minus", is: "waiting" },
  ready: { icon: "check", is: "waiting" },
  written: { icon: "check", is: "success" },
  failed: { icon: "cross", is: "error" },
} as const;

function doing({ part, stage }: Chapter, turn: Turn, say: ReturnType<typeof useWords>): string {
  return part && stage === "running" ? now(say, part, turn.evidence) : "";
}
