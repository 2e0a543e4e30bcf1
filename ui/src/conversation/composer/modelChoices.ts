/** The models that can be chosen at the question. They are loaded once, and again when they may have changed. */
import { server, unwrap } from "../../api/client";
import type { components } from "../../api/schema";
import { onPersonGone } from "../../state/personalData";
import { createStore } from "../../state/store";

export type ModelChoices = components["schemas"]["OfferedModels"];
export type ModelChoice = components["schemas"]["OfferedModel"];

export const choicesStore = createStore<ModelChoices | null>(null);
onPersonGone(() => choicesStore.set(null));

/** Load the choices again. Without the server, those that are known stay. */
export function refreshChoices(): void {
  server.GET("/api/models/choices").then(
    (answer) => choicesStore.set(unwrap(answer)),
    () => undefined,
  );
}

/** Return the choice that answers: the one of this browser, else the server's. */
export function findChoice(choices: ModelChoices | null, chosen: string): ModelChoice | null {
  const models = choices?.models ?? [];
  return models.find((each) => (chosen ? each.name === chosen : each.is_default)) ?? null;
}
