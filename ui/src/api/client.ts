import createClient, { type Middleware } from "openapi-fetch";
import { parseProblem, toProblem } from "./problem";
import type { paths } from "./schema";

const throwProblems: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    throw parseProblem(response.status, await response.json().catch(() => null));
  },
  onError({ error }) {
    throw toProblem(error);
  },
};

/** The server's API, typed by its OpenAPI description. Every failure is thrown as a `Problem`. */
export const server = createClient<paths>({ baseUrl: "/" });
server.use(throwProblems);

/** Return the data of a response. Failed calls have thrown before this. */
export function unwrap<T>(answer: { data?: T }): T {
  return answer.data as T;
}
