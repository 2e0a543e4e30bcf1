import { useId, useRef, useState } from "react";
import type { Judge, SentItem } from "../../api/types";
import { Icon } from "../../components/Icon";
import { usePlacedPopover } from "../../components/popover";
import { type Translate, useTranslate } from "../../i18n";
import { EXTRACTIVE } from "../../settings/modelNames";
import { useSelector } from "../../state/useSelector";
import { summarizeVerdicts } from "../citations/verdicts";
import { conversationStore } from "../conversationStore";
import { formatSeconds } from "../steps/toolLabels";
import type { Turn } from "../turns";

/** How an answer was made: model, cost, time, the personal details that were used, and how much is verified. */
export function AnswerInfo({ turn }: { turn: Turn }) {
  const t = useTranslate();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  usePlacedPopover(isOpen, button, box);
  const time = useSelector(conversationStore, ({ times }) => times[turn.id] ?? null);
  const { usage, answer } = turn;
  const [proven] = summarizeVerdicts(t, turn);

  const hasModel = turn.model !== EXTRACTIVE;
  const rows: [string, React.ReactNode][] = [
    [t("conversation.info.model"), hasModel ? turn.model : t("conversation.modelSwitch.none")],
  ];
  if (usage && (usage.input_tokens || usage.output_tokens)) {
    const { input_tokens: input, output_tokens: output } = usage;
    rows.push([t("conversation.info.tokens"), t("conversation.info.inOut", { input, output })]);
  }
  if (hasModel && usage?.requests)
    rows.push([t("conversation.info.requests"), t("conversation.number", { n: usage.requests })]);
  if (time !== null) rows.push([t("conversation.info.time"), formatSeconds(t, time)]);
  if (turn.passages.length) {
    rows.push([t("conversation.info.proof"), t("conversation.basis.quote")]);
  } else if (proven) {
    rows.push([t("conversation.info.proof"), proven.words]);
    rows.push([
      t("conversation.info.judge"),
      answer?.judge ? describeJudge(t, answer.judge) : t("conversation.info.noJudge"),
    ]);
  }
  const used = (is: boolean | undefined) => t(is ? "conversation.info.used" : "conversation.info.notUsed");
  rows.push([t("conversation.info.location"), used(answer?.used_location)]);
  rows.push([t("conversation.info.aboutMe"), used(answer?.used_personalization)]);
  rows.push([t("conversation.info.sent"), <SentList key="sent" sent={turn.sent} />]);

  return (
    <>
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={t("conversation.info")}
        title={t("conversation.info")}
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
        aria-label={t("conversation.info")}
        className="menu info"
        onToggle={(event) => setOpen(event.newState === "open")}
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

/** The addresses and searches that left this machine for an answer. */
function SentList({ sent }: { sent: SentItem[] }) {
  const t = useTranslate();
  if (!sent.length) return t("conversation.info.nothingSent");
  return (
    <ul className="info-sent">
      {sent.map(({ kind, value }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its end and may contain duplicates
        <li key={place}>{kind === "search" ? t("conversation.info.searched", { words: value }) : value}</li>
      ))}
    </ul>
  );
}

/** Describe the judge and how far it can be trusted. */
export function describeJudge(t: Translate, { model, agreed, passed, total }: Judge): string {
  if (agreed === null || total === null) return t("conversation.info.unmeasured", { model });
  return t.count("conversation.info.measured", passed ?? 0, { model, agreed, total });
}
