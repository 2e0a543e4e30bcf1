import createClient, { type Middleware } from "openapi-fetch";
import { asProblem, problemOf } from "./problem";
import type { paths } from "./schema";

const problems: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    throw problemOf(response.status, await response.json().catch(() => null));
  },
  onError({ error }) {
    throw asProblem(error);
  },
};

/** The server, typed by its own description. Whatever goes wrong is thrown as a `Problem`. */
export const server = createClient<paths>({ baseUrl: "/" });
server.use(problems);

/** What a call answered; it throws before this when it did not. */
export function got<T>(answer: { data?: T }): T {
  return answer.data as T;
}
