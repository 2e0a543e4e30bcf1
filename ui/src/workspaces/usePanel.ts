import { useCallback, useEffect } from "react";
import { useLocation } from "wouter";
import { conversationRemoval } from "../conversations/conversationListStore";
import { createPersistentStore, createPersonalStore } from "../state/persistentStore";
import { onPersonGone } from "../state/personalData";
import { createStore, useStore } from "../state/store";
import { recentStore } from "./recentStore";
import { useRecentConversations } from "./useRecentConversations";
import { useRoom } from "./useRoom";
import { useWorkspaces, workspacesStore } from "./workspacesStore";

/** Whether the person closed the panel; null until they closed or opened it. */
const hiddenStore = createPersistentStore<boolean | null>("panel.hidden", null);
const overStore = createStore(false);
onPersonGone(() => overStore.set(false));

/** Whether there was something to show in the panel: it then stands there from the start of the next visit. */
const filledStore = createPersonalStore("panel.filled", false);

export interface Panel {
  isShown: boolean;
  /** Whether it lies over the view, because there is no room beside it. */
  isOver: boolean;
  toggle: () => void;
  close: () => void;
}

/** Return whether the panel with the workspace and the last conversations is shown, and how to change that. */
export function usePanel(): Panel {
  const hasRoom = useRoom();
  const isFilled = useStore(filledStore);
  const isHidden = useStore(hiddenStore) ?? !isFilled;
  const isOver = useStore(overStore) && !hasRoom;
  useEffect(() => {
    if (hasRoom) overStore.set(false);
  }, [hasRoom]);
  const close = useCallback(() => overStore.set(false), []);
  return {
    isShown: hasRoom ? !isHidden : isOver,
    isOver,
    toggle: () => (hasRoom ? hiddenStore.set(!isHidden) : overStore.set((now) => !now)),
    close,
  };
}

/**
 * Load what the panel shows, and notice whether there is anything.
 *
 * A panel that was empty does not open beside a conversation: that would move the answer that is being read.
 */
export function usePanelContent(): void {
  const [path] = useLocation();
  const workspaces = useWorkspaces();
  const recent = useStore(recentStore);
  const gone = useStore(conversationRemoval.gone);
  const isKnown = useStore(workspacesStore) !== null && recent !== null;
  const isFilled = workspaces.length > 0 || Boolean(recent?.some(({ id }) => !gone.has(id)));
  const isReading = path.startsWith("/c/");
  useEffect(() => void workspacesStore.load(), []);
  useRecentConversations();
  useEffect(() => {
    if (isKnown && !(isFilled && isReading)) filledStore.set(isFilled);
  }, [isKnown, isFilled, isReading]);
}
