import { Icon } from "../look/Icon";
import { type Key, type Say, useWords } from "../words";
import { activity } from "./Part";
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
  if (chapters.length + further.length < 2) return null;
  return (
    <nav className="outline" aria-label={say("conversation.outline")}>
      <h3 className="soft small">{say("conversation.outline")}</h3>
      <ol>
        {chapters.map((chapter, place) => (
          <li key={chapter.heading} data-stage={chapter.stage}>
            <Stand stage={isRunning ? chapter.stage : null} place={place} />
            <span className="outline-heading">
              {chapter.anchor ? <ToSection anchor={chapter.anchor} heading={chapter.heading} /> : chapter.heading}
            </span>
            {isRunning && <span className="outline-now">{doing(chapter, turn, say)}</span>}
          </li>
        ))}
        {further.map(({ heading, anchor }, place) => (
          <li key={anchor} data-stage="written">
            <Stand stage={isRunning ? "written" : null} place={chapters.length + place} />
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

/** How far a section is; when all is done, which it is: what stands beside it does not move. */
function Stand({ stage, place }: { stage: Stage | null; place: number }) {
  const say = useWords();
  if (!stage) {
    return (
      <span className="outline-number" aria-hidden="true">
        {say("conversation.number", { n: place + 1 })}
      </span>
    );
  }
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

function doing({ part, stage }: Chapter, turn: Turn, say: Say): string {
  return part && stage === "running" ? activity(say, part, turn.evidence) : "";
}
