import { useLocation } from "wouter";
import { asProblem } from "../api/problem";
import { askAbout } from "../conversation/scope";
import { open } from "../desk";
import { Icon } from "../look/Icon";
import { Menu } from "../look/Menu";
import { toast } from "../look/Toasts";
import { useWords } from "../words";
import { documentRemoval, inWords, retry } from "./acts";
import type { Document } from "./documents";

interface RowMenuProps {
  document: Document;
  name: string;
  isReadable: boolean;
  onRename: () => void;
}

/** What can be done with one document. */
export function RowMenu({ document, name, isReadable, onRename }: RowMenuProps) {
  const say = useWords();
  const [, go] = useLocation();
  return (
    <Menu label={say("library.acts", { title: name })} trigger={<Icon name="menu" />}>
      {(close) => {
        const item = (icon: Parameters<typeof Icon>[0]["name"], label: string, act: () => void, isBad = false) => (
          <button
            type="button"
            role="menuitem"
            className={isBad ? "menu-item danger" : "menu-item"}
            onClick={() => {
              close();
              act();
            }}
          >
            <Icon name={icon} size={16} />
            {label}
          </button>
        );
        return (
          <>
            {isReadable && item("open", say("library.open"), () => open(document.id))}
            {isReadable &&
              item("ask", say("library.ask.one"), () => {
                askAbout([{ id: document.id, title: name }]);
                go("/");
              })}
            {isReadable && item("edit", say("library.rename"), onRename)}
            {document.status === "ready" &&
              document.problems.length > 0 &&
              item("refresh", say("library.readAgain"), () => {
                retry(document.id, "").catch((error: unknown) => toast(inWords(say, asProblem(error))));
              })}
            <a
              role="menuitem"
              className="menu-item"
              href={`/api/documents/${document.id}/file`}
              target="_blank"
              rel="noopener noreferrer"
              onClick={close}
            >
              <Icon name="export" size={16} />
              {say("library.original")}
            </a>
            {item(
              "remove",
              say("library.remove"),
              () => documentRemoval.remove([document.id], say("library.removed", { title: name })),
              true,
            )}
          </>
        );
      }}
    </Menu>
  );
}
