/** The documents the next question is about; none means all of them. */
import { store } from "../store";

export interface Scoped {
  id: string;
  title: string;
}

export const scope = store<Scoped[]>([]);
