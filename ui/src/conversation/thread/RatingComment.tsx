import { useState } from "react";
import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { showToast } from "../../components/toastStore";
import { useTranslate } from "../../i18n";
import { conversationStore } from "../conversationStore";

interface RatingCommentProps {
  message: string;
  value: 1 | -1;
  comment: string;
  onClose: () => void;
}

/** A field for words beside a rating. The rating is stored already; the words are optional. */
export function RatingComment({ message, value, comment, onClose }: RatingCommentProps) {
  const t = useTranslate();
  const [words, setWords] = useState(comment);
  const send = () => {
    onClose();
    conversationStore.rate(message, value, words.trim()).then(
      () => showToast(t("conversation.rating.thanks"), undefined, 2),
      (error) => showToast(describeError(t, toProblem(error)).message),
    );
  };
  return (
    <form
      className="rating-comment"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the reader has just pressed a thumb to rate
        autoFocus
        className="field"
        maxLength={2000}
        aria-label={t(value > 0 ? "conversation.rating.good" : "conversation.rating.bad")}
        placeholder={t(value > 0 ? "conversation.rating.good" : "conversation.rating.bad")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <button type="submit" className="button" disabled={words.trim() === comment}>
        {t("conversation.rating.send")}
      </button>
    </form>
  );
}
