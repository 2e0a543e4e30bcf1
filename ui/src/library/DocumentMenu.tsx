import { useLocation } from "wouter";
import { toProblem } from "../api/problem";
import { Icon } from "../components/Icon";
import { Menu } from "../components/Menu";
import { showToast } from "../components/toastStore";
import { askAbout } from "../conversation/composer/askAbout";
import { useTranslate } from "../i18n";
import { useSelector } from "../state/useSelector";
import { openDocument } from "../viewer/viewerStore";
import { arrivalStore, toggleCard } from "./arrivals";
import { describeInOneLine, documentRemoval, retryDocument } from "./documentActions";
import type { Document } from "./documents";
import { useMayChange } from "./libraryAccess";

interface DocumentMenuProps {
  document: Document;
  name: string;
  isReadable: boolean;
  onRename: () => void;
}

/** The menu of one document. */
export function DocumentMenu({ document, name, isReadable, onRename }: DocumentMenuProps) {
  const t = useTranslate();
  const [, go] = useLocation();
  const isMine = useMayChange(document);
  const isShown = useSelector(arrivalStore, (shown) => shown.has(document.id));
  return (
    <Menu label={t("library.acts", { title: name })} trigger={<Icon name="menu" />}>
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
            {isReadable &&
              item("info", t(isShown ? "library.card.close" : "library.card.show"), () =>
                toggleCard(document.id, !isShown),
              )}
            {isReadable && item("open", t("library.open"), () => openDocument(document.id))}
            {isReadable &&
              item("ask", t("library.ask.one"), () => {
                askAbout([{ id: document.id, title: name }]);
                go("/");
              })}
            {isReadable && isMine && item("edit", t("library.rename"), onRename)}
            {isMine &&
              document.status === "ready" &&
              document.problems.length > 0 &&
              item("refresh", t("library.readAgain"), () => {
                retryDocument(document.id, "").catch((error: unknown) =>
                  showToast(describeInOneLine(t, toProblem(error))),
                );
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
              {t("library.original")}
            </a>
            {isMine &&
              item(
                "remove",
                t("library.remove"),
                () => documentRemoval.remove([document.id], t("library.removed", { title: name })),
                true,
              )}
          </>
        );
      }}
    </Menu>
  );
}
