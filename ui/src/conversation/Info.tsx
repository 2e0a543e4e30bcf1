import { useId, useRef, useState } from "react";
import type { Judge, Sent } from "../api/shapes";
import { beside } from "../look/beside";
import { Icon } from "../look/Icon";
import { type Say, useWords } from "../words";
import { duration } from "./doing";
import { summedUp } from "./forms";
import { usePicked } from "./picked";
import { talking } from "./talking";
import type { Turn } from "./turns";

/** How an answer was made: model, cost, time, what of the person was used, and how much of it is proven. */
export function Info({ turn }: { turn: Turn }) {
  const say = useWords();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const time = usePicked(talking, ({ times }) => times[turn.id]?.total ?? null);
  const { usage, answer } = turn;
  const [proven] = summedUp(say, turn);

  const rows: [string, React.ReactNode][] = [[say("conversation.info.model"), turn.model]];
  if (usage && (usage.input_tokens || usage.output_tokens)) {
    const { input_tokens: input, output_tokens: output } = usage;
    rows.push([say("conversation.info.tokens"), say("conversation.info.inOut", { input, output })]);
  }
  if (usage?.requests)
    rows.push([say("conversation.info.requests"), say("conversation.number", { n: usage.requests })]);
  if (time !== null) rows.push([say("conversation.info.time"), duration(say, time)]);
  if (turn.passages.length) {
    rows.push([say("conversation.info.proof"), say("conversation.basis.quote")]);
  } else if (proven) {
    rows.push([say("conversation.info.proof"), proven.words]);
    rows.push([
      say("conversation.info.judge"),
      answer?.judge ? judgeWords(say, answer.judge) : say("conversation.info.noJudge"),
    ]);
  }
  const used = (is: boolean | undefined) => say(is ? "conversation.info.used" : "conversation.info.notUsed");
  rows.push([say("conversation.info.location"), used(answer?.used_location)]);
  rows.push([say("conversation.info.aboutMe"), used(answer?.used_personalization)]);
  rows.push([say("conversation.info.sent"), <Left key="sent" sent={turn.sent} />]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={say("conversation.info")}
        title={say("conversation.info")}
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        <Icon name="info" size={16} />
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={say("conversation.info")}
        className="menu info"
        onToggle={(event) => {
          setOpen(event.newState === "open");
          if (event.newState === "open") beside(button.current, box.current);
        }}
      >
        <dl>
          {rows.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}

/** What left this machine for an answer: addresses that were opened, and the words of searches. */
function Left({ sent }: { sent: Sent[] }) {
  const say = useWords();
  if (!sent.length) return say("conversation.info.nothingSent");
  return (
    <ul className="info-sent">
      {sent.map(({ kind, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end, and may have one twice
        <li key={place}>{kind === "search" ? say("conversation.info.searched", { words: value }) : value}</li>
      ))}
    </ul>
  );
}

/** Who judged, and how far that judge can be trusted. */
export function judgeWords(say: Say, { model, agreed, passed, total }: Judge): string {
  if (agreed === null || total === null) return say("conversation.info.unmeasured", { model });
  return say.count("conversation.info.measured", passed ?? 0, { model, agreed, total });
}
