import { useEffect, useRef, useState } from "react";
import { type Say, useWords } from "../words";
import { summedUp } from "./forms";
import type { Turn } from "./turns";

/** How much an answer brought: its passages, or how its sentences hold. */
function summaryOf(say: Say, turn: Turn): string {
  const shown = turn.passages.filter(({ more }) => !more);
  if (shown.length) return say.count("conversation.found", shown.length);
  return summedUp(say, turn)
    .map(({ words }) => words)
    .join(", ");
}

/** Says to those who listen that an answer is complete, in one sentence; not every word of it. */
export function Announcer({ turn }: { turn: Turn | null }) {
  const say = useWords();
  const [text, setText] = useState("");
  const running = useRef<string | null>(null);
  useEffect(() => {
    if (!turn) return;
    if (turn.state === "running") {
      running.current = turn.id;
      setText(say("conversation.announce.writing"));
    } else if (running.current === turn.id) {
      running.current = null;
      const summary = summaryOf(say, turn);
      if (turn.fault) setText(say("conversation.announce.failed"));
      else if (turn.state === "stopped") setText(say("conversation.stopped"));
      else if (turn.answer?.refused) setText(say("conversation.announce.nothing"));
      else setText(say(summary ? "conversation.announce.summed" : "conversation.announce.complete", { summary }));
    }
  }, [turn, say]);
  return (
    <output className="hidden" aria-live="polite">
      {text}
    </output>
  );
}
