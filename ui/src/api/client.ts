import createClient, { type Middleware } from "openapi-fetch";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";
import { Problem, parseProblem, toProblem } from "./problem";
import type { paths } from "./schema";
import { doubtSession } from "./sessionDoubt";

/** Counts the people who have used this page, so that a late response for one is not given to the next. */
const visit = createStore(0);
onPersonGone(() => visit.set((now) => now + 1));

/** Send a request; throws a `Problem` if its person is gone when the response arrives. */
async function fetchForPerson(request: Request): Promise<Response> {
  const asked = visit.get();
  const response = await fetch(request);
  if (asked === visit.get()) return response;
  throw new Problem({ code: "not_signed_in", message: "", hint: "" }, 401);
}

const throwProblems: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    if (response.status === 401) doubtSession();
    throw parseProblem(response.status, await response.json().catch(() => null));
  },
  onError({ error }) {
    throw toProblem(error);
  },
};

/** The server's API, typed by its OpenAPI description. Every failure is thrown as a `Problem`. */
export const server = createClient<paths>({ baseUrl: "/", fetch: fetchForPerson });
server.use(throwProblems);

/** Return the data of a response. Failed calls have thrown before this. */
export function unwrap<T>(answer: { data?: T }): T {
  return answer.data as T;
}
