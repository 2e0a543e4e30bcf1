/** Asking about some documents alone, from any room. */
import { type Chosen, scope } from "./composing";
import { enter } from "./talking";

export { scope };

/** Begin a new question about these documents alone; the room of the question shows them. */
export function askAbout(documents: Chosen[]): void {
  void enter(null);
  scope.set(documents);
}
