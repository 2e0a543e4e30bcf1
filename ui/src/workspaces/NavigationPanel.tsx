import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { useBackLayer } from "../components/backLayers";
import { useTranslate } from "../i18n";
import { RecentConversations } from "./RecentConversations";
import "./navigationPanel.css";
import { WorkspaceMenu } from "./WorkspaceMenu";

interface NavigationPanelProps {
  /** Whether it lies over the view, because there is no room beside it. */
  isOver: boolean;
  onClose: () => void;
}

/** The workspace, and its last conversations, beside the navigation. */
export default function NavigationPanel({ isOver, onClose }: NavigationPanelProps) {
  const t = useTranslate();
  const [path] = useLocation();
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
      <RecentConversations />
    </nav>
  );
}
