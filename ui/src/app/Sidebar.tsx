import { Link, useLocation } from "wouter";
import { AccountMenu } from "../account/AccountMenu";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { searchStore } from "../search/searchStore";
import { usePanel } from "../workspaces/usePanel";
import { ROOMS } from "./rooms";

/** The navigation at the edge of the page. */
export function Sidebar() {
  const t = useTranslate();
  const [path] = useLocation();
  const panel = usePanel();
  return (
    <nav className="rail" aria-label={t("shell.rooms")}>
      <Link to="/" className="rail-home" aria-label={t("shell.home")} title={t("shell.home")}>
        <img src="/icon.svg" alt="" width="28" height="28" />
      </Link>
      <button
        type="button"
        className="rail-room"
        title={t("workspaces.panel")}
        aria-label={t("workspaces.panel")}
        aria-expanded={panel.isShown}
        aria-controls={panel.isShown ? "side" : undefined}
        onClick={panel.toggle}
      >
        <Icon name="panel" />
      </button>
      <button
        type="button"
        className="rail-room"
        title={t("search.open")}
        aria-label={t("search.title")}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => searchStore.set(true)}
      >
        <Icon name="search" />
      </button>
      <Link
        to="/"
        className="rail-room"
        title={t("shell.ask")}
        aria-label={t("shell.ask")}
        aria-current={path === "/" || path.startsWith("/c/") ? "page" : undefined}
      >
        <Icon name="ask" />
      </Link>
      {ROOMS.map(({ to, icon, label, is }) => (
        <Link
          key={to}
          to={to}
          className="rail-room"
          title={t(label)}
          aria-label={t(label)}
          aria-current={is.test(path) ? "page" : undefined}
        >
          <Icon name={icon} />
        </Link>
      ))}
      <AccountMenu />
    </nav>
  );
}
