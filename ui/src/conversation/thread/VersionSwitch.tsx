import { toProblem } from "../../api/problem";
import { describeError } from "../../components/ErrorMessage";
import { Icon } from "../../components/Icon";
import { showToast } from "../../components/toastStore";
import { useTranslate } from "../../i18n";
import { useStore } from "../../state/store";
import { conversationStore } from "../conversationStore";

/** Steps between the versions of an edited question: ‹ 2 of 3 ›. */
export function VersionSwitch({ question, isLocked }: { question: string; isLocked: boolean }) {
  const t = useTranslate();
  const versions = useStore(conversationStore).versions[question];
  if (!versions) return null;
  const place = versions.indexOf(question);
  const choose = (to: string | undefined) => {
    if (to) conversationStore.choose(to).catch((error) => showToast(describeError(t, toProblem(error)).message));
  };
  const [before, after] = [versions[place - 1], versions[place + 1]];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className="versions" role="group" aria-label={t("conversation.versions")}>
      <button
        type="button"
        aria-label={t("conversation.versions.before")}
        disabled={isLocked || !before}
        onClick={() => choose(before)}
      >
        <Icon name="back" size={14} />
      </button>
      <span>{t("conversation.versions.place", { n: place + 1, all: versions.length })}</span>
      <button
        type="button"
        aria-label={t("conversation.versions.after")}
        disabled={isLocked || !after}
        onClick={() => choose(after)}
      >
        <Icon name="forward" size={14} />
      </button>
    </div>
  );
}
