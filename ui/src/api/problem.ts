import type { Fault } from "./types";

/** An error that the server reported, or that the page found when no server answered. */
export class Problem extends Error {
  readonly code: string;
  readonly hint: string;
  /** What the code leaves open, such as which thing was not found; empty when the code says it all. */
  readonly reason: string;
  /** The values that its words name, such as the path of a file. */
  readonly params: NonNullable<Fault["params"]>;
  readonly status: number;

  constructor(fault: Fault, status = 0) {
    super(fault.message);
    this.code = fault.code;
    this.hint = fault.hint;
    this.reason = fault.reason ?? "";
    this.params = fault.params ?? {};
    this.status = status;
  }
}

/** Make a problem from an error response. */
export function parseProblem(status: number, body: unknown): Problem {
  if (typeof body === "object" && body !== null && "error" in body) {
    const { code = "http", message = "", hint = "", reason = "", params = {} } = body.error as Partial<Fault>;
    return new Problem({ code, message, hint, reason, params }, status);
  }
  return new Problem({ code: status < 500 ? "http" : "down", message: `HTTP ${status}`, hint: "" }, status);
}

/** Make a problem from anything that was thrown. A failed fetch means that the server is not there. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof TypeError ? "offline" : "page";
  return new Problem({ code, message: error instanceof Error ? error.message : String(error), hint: "" });
}

/** Return whether a problem ends by itself when the server is back, so that trying again is worth it. */
export function isAway({ code, status }: Problem): boolean {
  return code === "offline" || code === "down" || [502, 503, 504].includes(status);
}
