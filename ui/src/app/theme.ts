import { chosenLanguage, getLanguage } from "../i18n";
import { createPersistentStore } from "../state/persistentStore";

export type Theme = "light" | "dark" | "system";

export const themeStore = createPersistentStore<Theme>("theme", "system");

/** Apply the chosen theme and language, and follow changes of the system's own. */
export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const now = themeStore.get();
    document.documentElement.dataset.theme = now === "system" ? (dark.matches ? "dark" : "light") : now;
    document.documentElement.lang = getLanguage();
  };
  dark.addEventListener("change", apply);
  themeStore.subscribe(apply);
  chosenLanguage.subscribe(apply);
  apply();
}
