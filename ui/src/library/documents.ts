/** The library's nouns, by the server's own description. */
import type { components } from "../api/schema";

type Schemas = components["schemas"];

/** What newer servers tell beside: where it came from, which sets it is in, why it failed as a code. */
interface Origin {
  libraries?: string[];
  url?: string | null;
  folder?: string;
  error_code?: string;
}

export type Document = Schemas["Document"] & Origin;
export type AddedDocument = Schemas["AddedDocument"] & Origin;
export type Status = Document["status"];

/** How far the work on one document is. `rate` is pages or passages in a second. */
export interface Progress {
  document: string;
  title?: string;
  status: Status;
  step: "read" | "embed" | null;
  done: number;
  total: number;
  rate?: number | null;
  seconds_left?: number | null;
  error: string | null;
}
