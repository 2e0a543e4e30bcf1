import { useLayoutEffect, useRef } from "react";
import { useWords } from "../words";
import { summedUp } from "./forms";
import { Sign } from "./Sign";
import type { Turn } from "./turns";

/** One line above an answer: how many of its sentences hold, each verdict beside its sign. It has its place from the first. */
export function Summary({ turn }: { turn: Turn }) {
  const say = useWords();
  const line = useRef<HTMLParagraphElement>(null);
  const parts = summedUp(say, turn);
  const isComing = turn.state === "running" && turn.text.trim() !== "";
  // On a narrow page it may take two lines: it keeps them, so that the answer does not jump back.
  useLayoutEffect(() => {
    if (line.current && turn.state === "running") line.current.style.minHeight = `${line.current.offsetHeight}px`;
  }, [turn]);
  if (!parts.length && !isComing) return null;
  return (
    <p ref={line} className="summary">
      {parts.map(({ form, words }, place) => (
        <span key={form} data-form={form}>
          <Sign form={form} />
          {words}
          {place < parts.length - 1 && ","}
        </span>
      ))}
    </p>
  );
}
