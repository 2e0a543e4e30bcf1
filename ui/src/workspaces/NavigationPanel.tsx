import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { ROOMS } from "../app/rooms";
import { useBackLayer } from "../components/backLayers";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { RecentConversations } from "./RecentConversations";
import "./navigationPanel.css";
import { WorkspaceContents } from "./WorkspaceContents";
import { WorkspaceMenu } from "./WorkspaceMenu";
import { useOpenWorkspace } from "./workspacesStore";

interface NavigationPanelProps {
  /** Whether it lies over the view, because there is no room beside it. */
  isOver: boolean;
  onClose: () => void;
}

/** The workspace, and its last conversations, beside the navigation. */
export default function NavigationPanel({ isOver, onClose }: NavigationPanelProps) {
  const t = useTranslate();
  const [path] = useLocation();
  const workspace = useOpenWorkspace();
  const panel = useRef<HTMLElement>(null);
  const opened = useRef(path);
  useBackLayer(isOver, onClose);

  useEffect(() => {
    if (!isOver) return;
    panel.current?.querySelector<HTMLElement>("button, a")?.focus();
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open], [popover]:popover-open")) return;
      event.preventDefault();
      onClose();
    };
    const clicked = (event: PointerEvent) => {
      if (event.target instanceof Element && !event.target.closest(".side, .rail, dialog, [popover]")) onClose();
    };
    document.addEventListener("keydown", pressed, { capture: true });
    document.addEventListener("pointerdown", clicked);
    return () => {
      document.removeEventListener("keydown", pressed, { capture: true });
      document.removeEventListener("pointerdown", clicked);
    };
  }, [isOver, onClose]);
  useEffect(() => {
    if (isOver && path !== opened.current) onClose();
    opened.current = path;
  }, [path, isOver, onClose]);

  return (
    <nav ref={panel} className="side" id="side" data-over={isOver || undefined} aria-label={t("workspaces.panel")}>
      <WorkspaceMenu />
      {workspace && <WorkspaceContents workspace={workspace} />}
      <RecentConversations />
      {isOver && (
        <ul className="side-rooms" aria-label={t("shell.rooms")}>
          {ROOMS.map(({ to, icon, label, is }) => (
            <li key={to}>
              <Link to={to} aria-current={is.test(path) ? "page" : undefined}>
                <Icon name={icon} size={16} /> {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}
