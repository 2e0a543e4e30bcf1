import { useState } from "react";
import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { Menu } from "../../components/Menu";
import { MenuItem } from "../../components/MenuItem";
import { showToast } from "../../components/toastStore";
import { useTranslate } from "../../i18n";
import { keepThing } from "../../notebook/keepThing";
import { useSelector } from "../../state/useSelector";
import { copyText } from "../../text/clipboard";
import { stripMarkdown, writeWithFootnotes } from "../citations/footnotes";
import { ReferenceItems } from "../citations/ReferenceItems";
import { conversationStore } from "../conversationStore";
import type { Turn } from "../turns";
import { AnswerInfo } from "./AnswerInfo";
import { RatingComment } from "./RatingComment";

interface AnswerActionsProps {
  turn: Turn;
  isLast: boolean;
  onAgain: () => void;
}

/** Actions on an answer: copy, rate, ask again, and details of how it was made. */
export function AnswerActions({ turn, isLast, onAgain }: AnswerActionsProps) {
  const t = useTranslate();
  const rated = useSelector(conversationStore, ({ ratings }) => ratings[turn.id] ?? null);
  const conversation = useSelector(conversationStore, ({ id }) => id);
  const link = () => new URL(`/c/${conversation}#${turn.id}`, location.origin).href;
  const comment = useSelector(conversationStore, ({ ratingComments }) => ratingComments[turn.id] ?? "");
  const [isCommenting, setCommenting] = useState(false);
  const toRate = (value: 1 | -1) => {
    setCommenting(rated !== value);
    conversationStore
      .rate(turn.id, rated === value ? null : value)
      .catch((error) => showToast(describeError(t, toProblem(error)).message));
  };
  return (
    <>
      <div className="actions" data-last={isLast || undefined}>
        <Menu label={t("conversation.copy")} trigger={<Icon name="copy" size={16} />}>
          {(close) => (
            <>
              <MenuItem
                close={close}
                label={t("conversation.copyPlain")}
                run={() => copyText(stripMarkdown(writeWithFootnotes(turn, t, "plain")), t)}
              />
              <MenuItem
                close={close}
                label={t("conversation.copyMarkdown")}
                run={() => copyText(writeWithFootnotes(turn, t), t)}
              />
              <MenuItem close={close} label={t("conversation.copyLink")} run={() => copyText(link(), t)} />
              {conversation && turn.citations.length > 0 && (
                <ReferenceItems scope={{ conversation, message: turn.id }} close={close} />
              )}
            </>
          )}
        </Menu>
        <button
          type="button"
          className="icon-button"
          aria-label={t("notebook.keepAnswer")}
          title={t("notebook.keepAnswer")}
          onClick={() => void keepThing({ kind: "answer", message: turn.id })}
        >
          <Icon name="keep" size={16} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t("conversation.good")}
          title={t("conversation.good")}
          aria-pressed={rated === 1}
          onClick={() => toRate(1)}
        >
          <Icon name="thumbUp" size={16} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t("conversation.bad")}
          title={t("conversation.bad")}
          aria-pressed={rated === -1}
          onClick={() => toRate(-1)}
        >
          <Icon name="thumbDown" size={16} />
        </button>
        {isLast && (
          <button
            type="button"
            className="icon-button"
            aria-label={t("conversation.again")}
            title={t("conversation.again")}
            onClick={onAgain}
          >
            <Icon name="refresh" size={16} />
          </button>
        )}
        <AnswerInfo turn={turn} />
      </div>
      {rated !== null && isCommenting && (
        <RatingComment message={turn.id} value={rated} comment={comment} onClose={() => setCommenting(false)} />
      )}
      {comment && !isCommenting && rated !== null && (
        <p className="rating-words">
          <q>{comment}</q>{" "}
          <button type="button" onClick={() => setCommenting(true)}>
            {t("conversation.rating.edit")}
          </button>
        </p>
      )}
    </>
  );
}
