import { accountStore } from "../account/accountStore";
import { useStore } from "../state/store";

/** Return whether the person may share conversations by a link: a server without accounts has no links. */
export function useMayShareByLink(): boolean {
  const { mode, scopes } = useStore(accountStore);
  return mode === "team" && scopes.includes("write");
}
