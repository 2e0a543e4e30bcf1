import { useEffect, useState } from "react";
import { got, server } from "../api/client";
import type { Focus } from "../api/shapes";
import { Icon, type IconName } from "../look/Icon";
import { Menu } from "../look/Menu";
import { useStore } from "../store";
import { type Key, useWords } from "../words";
import { focus } from "./composing";

const MODES: { mode: Focus; icon: IconName; name: Key; means: Key }[] = [
  { mode: "all", icon: "spark", name: "conversation.focus.all", means: "conversation.focus.all.means" },
  {
    mode: "documents",
    icon: "library",
    name: "conversation.focus.documents",
    means: "conversation.focus.documents.means",
  },
  { mode: "web", icon: "web", name: "conversation.focus.web", means: "conversation.focus.web.means" },
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
  const canSearchWeb = useWebSearch();
  return MODES.map(({ mode, icon, name, means }) => (
    <button
      key={mode}
      type="button"
      role="menuitemradio"
      aria-checked={chosen === mode}
      className="menu-item focus-mode"
      onClick={() => {
        focus.set(mode);
        close();
      }}
    >
      <Icon name={icon} />
      <span>
        <span className="focus-name">{say(name)}</span>
        <span className="focus-means">
          {mode === "web" && canSearchWeb === false ? say("conversation.focus.web.missing") : say(means)}
        </span>
      </span>
      {chosen === mode && <Icon name="check" size={16} />}
    </button>
  ));
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
