import { useState } from "react";
import { useLocation } from "wouter";
import { server } from "../api/client";
import { asProblem } from "../api/problem";
import { Dialog } from "../look/Dialog";
import { Icon } from "../look/Icon";
import { Menu } from "../look/Menu";
import { toast } from "../look/Toasts";
import { said } from "../look/Trouble";
import { useStore } from "../store";
import { useWords } from "../words";
import { rename, talking } from "./talking";

const FORMATS = ["md", "html", "pdf", "json"] as const;
const NAMES = {
  md: "conversation.export.md",
  html: "conversation.export.html",
  pdf: "conversation.export.pdf",
  json: "conversation.export.json",
} as const;

/** The conversation's title, and what can be done with all of it. */
export function Header() {
  const say = useWords();
  const { id, title, pending } = useStore(talking);
  const [window, setWindow] = useState<"rename" | "remove" | null>(null);
  const close = () => setWindow(null);
  return (
    <header className="talk-head">
      <h1>{title || pending}</h1>
      <Menu label={say("conversation.menu")} disabled={!id} trigger={<Icon name="menu" />}>
        {(leave) => (
          <>
            <MenuButton icon="edit" label={say("conversation.rename")} run={() => setWindow("rename")} leave={leave} />
            {FORMATS.map((format) => (
              <a
                key={format}
                role="menuitem"
                className="menu-item"
                href={`/api/conversations/${encodeURIComponent(id ?? "")}/export?format=${format}`}
                download
                onClick={leave}
              >
                <Icon name="export" size={16} /> {say(NAMES[format])}
              </a>
            ))}
            <MenuButton
              icon="remove"
              label={say("conversation.remove")}
              run={() => setWindow("remove")}
              leave={leave}
              isDanger
            />
          </>
        )}
      </Menu>
      {window === "rename" && <Rename title={title} onClose={close} />}
      {window === "remove" && id && <Remove id={id} onClose={close} />}
    </header>
  );
}

interface MenuButtonProps {
  icon: "edit" | "remove";
  label: string;
  run: () => void;
  leave: () => void;
  isDanger?: boolean;
}

function MenuButton({ icon, label, run, leave, isDanger = false }: MenuButtonProps) {
  return (
    <button
      type="button"
      role="menuitem"
      className={isDanger ? "menu-item danger" : "menu-item"}
      onClick={() => {
        leave();
        run();
      }}
    >
      <Icon name={icon} size={16} /> {label}
    </button>
  );
}

function Rename({ title, onClose }: { title: string; onClose: () => void }) {
  const say = useWords();
  const [name, setName] = useState(title);
  return (
    <Dialog title={say("conversation.rename")} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!name.trim()) return;
          onClose();
          rename(name.trim()).catch((error) => toast(said(say, asProblem(error)).message));
        }}
      >
        <input
          className="field"
          aria-label={say("conversation.title")}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {say("conversation.leave")}
          </button>
          <button type="submit" className="button main" disabled={!name.trim()}>
            {say("conversation.rename.do")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Remove({ id, onClose }: { id: string; onClose: () => void }) {
  const say = useWords();
  const [, go] = useLocation();
  const remove = async () => {
    onClose();
    try {
      await server.DELETE("/api/conversations/{conversation}", { params: { path: { conversation: id } } });
      go("/");
    } catch (error) {
      toast(said(say, asProblem(error)).message);
    }
  };
  return (
    <Dialog title={say("conversation.remove.title")} onClose={onClose}>
      <p>{say("conversation.remove.means")}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {say("conversation.leave")}
        </button>
        <button type="button" className="button danger" onClick={remove}>
          {say("conversation.remove")}
        </button>
      </div>
    </Dialog>
  );
}
