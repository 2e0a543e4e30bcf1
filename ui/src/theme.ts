import { remembered } from "./remembered";
import { chosenLanguage, language } from "./words";

export type Theme = "light" | "dark" | "system";

export const theme = remembered<Theme>("theme", "system");

/** Keep the page in the chosen theme and language, also when the system changes its own. */
export function followTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const now = theme.get();
    document.documentElement.dataset.theme = now === "system" ? (dark.matches ? "dark" : "light") : now;
    document.documentElement.lang = language();
  };
  dark.addEventListener("change", apply);
  theme.subscribe(apply);
  chosenLanguage.subscribe(apply);
  apply();
}
