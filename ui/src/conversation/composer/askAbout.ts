/** Questions about some documents alone, started from any view. */

import { conversationStore } from "../conversationStore";
import { projectStore, type ScopeDocument, scopeStore } from "./questionOptions";

export { scopeStore as scope };

/** Start a new question about these documents alone. */
export function askAbout(documents: ScopeDocument[]): void {
  void conversationStore.open(null);
  scopeStore.set(documents);
  projectStore.set("");
}
