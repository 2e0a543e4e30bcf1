import { useEffect } from "react";
import { conversationStore } from "../conversation/conversationStore";
import { onChangeInOtherTab } from "../conversation/otherTabs";
import { conversationListStore } from "../conversations/conversationListStore";
import { useSelector } from "../state/useSelector";
import { recentStore } from "./recentStore";
import { useOpenWorkspace } from "./workspacesStore";

/** Load the last conversations, and load them again when one begins, goes on or changes. */
export function useRecentConversations(): void {
  const workspace = useOpenWorkspace()?.id ?? "";
  const open = useSelector(conversationStore, ({ id }) => id);
  const title = useSelector(conversationStore, (now) => now.title);
  const turns = useSelector(conversationStore, ({ thread }) => thread.turns.length);
  const listed = useSelector(conversationListStore, ({ conversations }) =>
    conversations.map((each) => each.title).join("\n"),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when a conversation begins, goes on or changes
  useEffect(() => void recentStore.load(workspace), [workspace, open, title, turns, listed]);
  useEffect(() => onChangeInOtherTab(() => void recentStore.load(workspace)), [workspace]);
}
