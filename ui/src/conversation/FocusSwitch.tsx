import { useEffect, useState } from "react";
import { Link } from "wouter";
import { got, server } from "../api/client";
import type { Focus } from "../api/shapes";
import { Icon, type IconName } from "../look/Icon";
import { Menu } from "../look/Menu";
import { useStore } from "../store";
import { type Key, useWords } from "../words";
import { focus } from "./composing";

/** Where answers come from; `missing` is said in place of `means` while no search engine is set. */
interface Mode {
  mode: Focus;
  icon: IconName;
  name: Key;
  means: Key;
  missing?: Key;
}

const MODES: Mode[] = [
  { mode: "all", icon: "spark", name: "conversation.focus.all", means: "conversation.focus.all.means" },
  {
    mode: "documents",
    icon: "library",
    name: "conversation.focus.documents",
    means: "conversation.focus.documents.means",
  },
  {
    mode: "web",
    icon: "web",
    name: "conversation.focus.web",
    means: "conversation.focus.web.means",
    missing: "conversation.focus.web.missing",
  },
  {
    mode: "research",
    icon: "report",
    name: "conversation.focus.research",
    means: "conversation.focus.research.means",
    missing: "conversation.focus.research.missing",
  },
  { mode: "chat", icon: "ask", name: "conversation.focus.chat", means: "conversation.focus.chat.means" },
];

/** Where answers come from. */
export function FocusSwitch() {
  const say = useWords();
  const chosen = useStore(focus);
  const now = MODES.find((each) => each.mode === chosen) ?? MODES[0];
  if (!now) return null;
  return (
    <Menu
      label={say("conversation.focus", { focus: say(now.name) })}
      className="composer-choice"
      trigger={
        <>
          <Icon name={now.icon} size={16} />
          <span>{say(now.name)}</span>
          <Icon name="down" size={14} />
        </>
      }
    >
      {(close) => <Modes chosen={chosen} close={close} />}
    </Menu>
  );
}

function Modes({ chosen, close }: { chosen: Focus; close: () => void }) {
  const say = useWords();
  const isMissing = useWebSearch() === false;
  return (
    <>
      {MODES.map(({ mode, icon, name, means, missing }) => {
        const isOff = mode === "web" && isMissing;
        return (
          <button
            key={mode}
            type="button"
            role="menuitemradio"
            aria-checked={chosen === mode}
            aria-disabled={isOff}
            className="menu-item focus-mode"
            onClick={() => {
              if (isOff) return;
              focus.set(mode);
              close();
            }}
          >
            <Icon name={icon} />
            <span>
              <span className="focus-name">{say(name)}</span>
              <span className="focus-means">{say(isMissing && missing ? missing : means)}</span>
            </span>
            {chosen === mode && <Icon name="check" size={16} />}
          </button>
        );
      })}
      {isMissing && (
        <Link to="/settings" role="menuitem" className="menu-item focus-settings" onClick={close}>
          <Icon name="settings" />
          {say("conversation.focus.settings")}
        </Link>
      )}
    </>
  );
}

/** Whether a search engine's address is set; null while it is not known. */
function useWebSearch(): boolean | null {
  const [can, set] = useState<boolean | null>(null);
  useEffect(() => {
    server.GET("/api/settings").then(
      (answer) => set(got(answer).search_url !== ""),
      () => set(null),
    );
  }, []);
  return can;
}
