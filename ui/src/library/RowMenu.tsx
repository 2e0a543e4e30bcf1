import { useLocation } from "wouter";
import { askAbout } from "../conversation/scope";
import { open } from "../desk";
import { Icon } from "../look/Icon";
import { Menu } from "../look/Menu";
import { useWords } from "../words";
import { documentRemoval } from "./acts";
import type { Document } from "./documents";

/** What can be done with one document. */
export function RowMenu({ document, name, isReadable }: { document: Document; name: string; isReadable: boolean }) {
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
