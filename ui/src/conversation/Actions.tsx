import { asProblem } from "../api/problem";
import { Icon } from "../look/Icon";
import { Menu } from "../look/Menu";
import { toast } from "../look/Toasts";
import { said } from "../look/Trouble";
import { useWords } from "../words";
import { copied } from "./copying";
import { asPlain, withFootnotes } from "./footnotes";
import { Info } from "./Info";
import { usePicked } from "./picked";
import { rate, talking } from "./talking";
import type { Turn } from "./turns";

interface ActionsProps {
  turn: Turn;
  isLast: boolean;
  onAgain: () => void;
}

/** What can be done with an answer: copy, rate, ask again, see how it was made. */
export function Actions({ turn, isLast, onAgain }: ActionsProps) {
  const say = useWords();
  const rated = usePicked(talking, ({ ratings }) => ratings[turn.id] ?? null);
  const link = () => new URL(`/c/${talking.get().id}#${turn.id}`, location.origin).href;
  const toRate = (value: 1 | -1) =>
    rate(turn.id, rated === value ? null : value).catch((error) => toast(said(say, asProblem(error)).message));
  return (
    <div className="actions" data-last={isLast || undefined}>
      <Menu label={say("conversation.copy")} trigger={<Icon name="copy" size={16} />}>
        {(close) => (
          <>
            <Item
              close={close}
              label={say("conversation.copyPlain")}
              run={() => copied(asPlain(withFootnotes(turn, say, "plain")), say)}
            />
            <Item
              close={close}
              label={say("conversation.copyMarkdown")}
              run={() => copied(withFootnotes(turn, say), say)}
            />
            <Item close={close} label={say("conversation.copyLink")} run={() => copied(link(), say)} />
          </>
        )}
      </Menu>
      <button
        type="button"
        className="icon-button"
        aria-label={say("conversation.good")}
        title={say("conversation.good")}
        aria-pressed={rated === 1}
        onClick={() => toRate(1)}
      >
        <Icon name="thumbUp" size={16} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={say("conversation.bad")}
        title={say("conversation.bad")}
        aria-pressed={rated === -1}
        onClick={() => toRate(-1)}
      >
        <Icon name="thumbDown" size={16} />
      </button>
      {isLast && (
        <button
          type="button"
          className="icon-button"
          aria-label={say("conversation.again")}
          title={say("conversation.again")}
          onClick={onAgain}
        >
          <Icon name="refresh" size={16} />
        </button>
      )}
      <Info turn={turn} />
    </div>
  );
}

function Item({ label, run, close }: { label: string; run: () => void; close: () => void }) {
  return (
    <button
      type="button"
      role="menuitem"
      className="menu-item"
      onClick={() => {
        close();
        run();
      }}
    >
      {label}
    </button>
  );
}
