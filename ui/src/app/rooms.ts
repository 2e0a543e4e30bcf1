/** The rooms of the page, in the order of the navigation. */
import type { IconName } from "../components/Icon";
import type { MessageKey } from "../i18n";

export interface Room {
  to: string;
  icon: IconName;
  label: MessageKey;
  /** The addresses that are in it. */
  is: RegExp;
}

export const ROOMS: Room[] = [
  { to: "/conversations", icon: "list", label: "shell.conversations", is: /^\/conversations/ },
  { to: "/library", icon: "library", label: "shell.library", is: /^\/(library|d\/)/ },
  { to: "/notebooks", icon: "notebook", label: "notebook.title", is: /^\/notebooks/ },
  { to: "/settings", icon: "settings", label: "shell.settings", is: /^\/settings/ },
];
