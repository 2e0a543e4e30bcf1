import { useEffect, useState } from "react";
import { Link } from "wouter";
import { server, unwrap } from "../../api/client";
import type { Focus } from "../../api/types";
import { Icon, type IconName } from "../../components/Icon";
import { Menu } from "../../components/Menu";
import { type MessageKey, useTranslate } from "../../i18n";
import { useStore } from "../../state/store";
import { focusStore } from "./questionOptions";

/** A choice of where answers come from. `missing` replaces `means` while no search engine is set. */
interface Mode {
  mode: Focus;
  icon: IconName;
  name: MessageKey;
  means: MessageKey;
  missing?: MessageKey;
}

const MODES: Mode[] = [
  { mode: "all", icon: "search", name: "conversation.focus.all", means: "conversation.focus.all.means" },
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

/** The menu that chooses where answers come from. */
export function FocusSwitch() {
  const t = useTranslate();
  const chosen = useStore(focusStore);
  const now = MODES.find((each) => each.mode === chosen) ?? MODES[0];
  if (!now) return null;
  return (
    <Menu
      label={t("conversation.focus", { focus: t(now.name) })}
      className="composer-choice"
      trigger={
        <>
          <Icon name={now.icon} size={16} />
          <span>{t(now.name)}</span>
          <Icon name="down" size={14} />
        </>
      }
    >
      {(close) => <ModeMenu chosen={chosen} close={close} />}
    </Menu>
  );
}

function ModeMenu({ chosen, close }: { chosen: Focus; close: () => void }) {
  const t = useTranslate();
  const isMissing = useHasWebSearch() === false;
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
              focusStore.set(mode);
              close();
            }}
          >
            <Icon name={icon} />
            <span>
              <span className="focus-name">{t(name)}</span>
              <span className="focus-means">{t(isMissing && missing ? missing : means)}</span>
            </span>
            {chosen === mode && <Icon name="check" size={16} />}
          </button>
        );
      })}
      {isMissing && (
        <Link to="/settings" role="menuitem" className="menu-item focus-settings" onClick={close}>
          <Icon name="settings" />
          {t("conversation.focus.settings")}
        </Link>
      )}
    </>
  );
}

/** Return whether the address of a search engine is set; null while it is not known. */
function useHasWebSearch(): boolean | null {
  const [can, set] = useState<boolean | null>(null);
  useEffect(() => {
    server.GET("/api/settings").then(
      (answer) => set(unwrap(answer).search_url_from !== ""),
      () => set(null),
    );
  }, []);
  return can;
}
