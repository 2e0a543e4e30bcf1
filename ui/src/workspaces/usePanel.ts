import { useCallback, useEffect } from "react";
import { createPersistentStore } from "../state/persistentStore";
import { onPersonGone } from "../state/personalData";
import { createStore, useStore } from "../state/store";
import { useRoom } from "./useRoom";

const hiddenStore = createPersistentStore("panel.hidden", false);
const overStore = createStore(false);
onPersonGone(() => overStore.set(false));

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
  const isHidden = useStore(hiddenStore);
  const isOver = useStore(overStore) && !hasRoom;
  useEffect(() => {
    if (hasRoom) overStore.set(false);
  }, [hasRoom]);
  const close = useCallback(() => overStore.set(false), []);
  return {
    isShown: hasRoom ? !isHidden : isOver,
    isOver,
    toggle: () => (hasRoom ? hiddenStore : overStore).set((now) => !now),
    close,
  };
}
