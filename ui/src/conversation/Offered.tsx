import { choose } from "../desk";
import { useWords } from "../words";
import { hide } from "./cards";
import { markKey, marksOf } from "./marks";
import type { Turn } from "./turns";

/** Passages that a sentence does not cite and that may support it; each opens its source. */
export function Offered({ turn, numbers }: { turn: Turn; numbers: readonly number[] }) {
  const say = useWords();
  const known = [...new Set(numbers)].filter((n) => turn.citations.some((each) => each.n === n));
  if (!known.length) return null;
  const open = (n: number) => {
    const mark = marksOf(turn).find(({ key }) => key === markKey(turn.id, n));
    if (!mark) return;
    hide();
    choose(mark);
  };
  return (
    <span className="offered">
      {" "}
      {say.count("conversation.offered", known.length)}
      {known.map((n) => (
        <button key={n} type="button" data-mark={markKey(turn.id, n)} onClick={() => open(n)}>
          {say("conversation.offered.number", { n })}
        </button>
      ))}
    </span>
  );
}
