/** The model servers on the server's machine, for those who may set models and have none yet. */
import { navigate } from "wouter/use-browser-location";
import { useMay } from "../account/accountStore";
import { showToast } from "../components/toastStore";
import { choicesStore, refreshChoices } from "../conversation/composer/modelChoices";
import type { Translate } from "../i18n";
import { createStore, type Store, useStore } from "../state/store";
import { EXTRACTIVE } from "./modelNames";
import { type FoundServer, findServers, nameModel, setRole } from "./modelSetupApi";
import { preferencesStore } from "./preferences";

export interface FoundServers extends Store<FoundServer[]> {
  /** Look for servers unless something already shows them. Returns how to stop; the last one to stop forgets them. */
  follow: () => () => void;
}

/** Create a store that has not looked for servers yet. */
export function createFoundServers(): FoundServers {
  const store = createStore<FoundServer[]>([]);
  let followers = 0;
  let request = new AbortController();
  return {
    ...store,
    follow() {
      if (followers++ === 0) {
        request = new AbortController();
        const { signal } = request;
        findServers(signal).then(
          (found) => !signal.aborted && store.set(found.filter(({ models }) => models.length > 0)),
          () => undefined, // nothing is offered
        );
      }
      return () => {
        if (--followers > 0) return;
        request.abort();
        store.set([]);
      };
    },
  };
}

/** Those of the page: what the start page found, the menu beside the question shows without looking again. */
export const foundServers = createFoundServers();

/** Return whether the server has no model, and this person may set one. */
export function useLacksModel(): boolean {
  const choices = useStore(choicesStore);
  const maySet = useMay("admin");
  return maySet && choices?.models.every(({ name }) => name === EXTRACTIVE) === true;
}

/** Let a model answer from now on, say so, and lead to its trial. */
export async function adoptModel(t: Translate, model: string): Promise<void> {
  await setRole("chat", model);
  preferencesStore.set((now) => ({ ...now, chatModel: "" }));
  refreshChoices();
  showToast(t("settings.setup.used", { model: nameModel(model) }), {
    label: t("settings.setup.try"),
    run: () => navigate("/settings"),
  });
}
