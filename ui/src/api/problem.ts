import type { Fault } from "./shapes";

/** What went wrong, as the server says it, or as the page does when no server answers. */
export class Problem extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: number;

  constructor(fault: Fault, status = 0) {
    super(fault.message);
    this.code = fault.code;
    this.hint = fault.hint;
    this.status = status;
  }
}

/** The problem an answer of the server is. */
export function problemOf(status: number, body: unknown): Problem {
  if (typeof body === "object" && body !== null && "error" in body) {
    const { code = "http", message = "", hint = "" } = body.error as Partial<Fault>;
    return new Problem({ code, message, hint }, status);
  }
  return new Problem({ code: status < 500 ? "http" : "down", message: `HTTP ${status}`, hint: "" }, status);
}

/** Anything that was thrown, as a problem: a fetch that failed means that the server is not there. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = error instanceof TypeError ? "offline" : "page";
  return new Problem({ code, message: error instanceof Error ? error.message : String(error), hint: "" });
}
