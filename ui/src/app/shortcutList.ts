/** The keys of the page, as its help lists them. One key has one meaning: the source's own keys are no others'. */
import type { MessageKey } from "../i18n";

export interface Shortcut {
  /** What is pressed: each is one key, or several together. */
  chords: string[][];
  means: MessageKey;
}

export interface ShortcutGroup {
  title: MessageKey;
  shortcuts: Shortcut[];
}

export const SHORTCUT_GROUPS: ShortcutGroup[] = [
  {
    title: "keys.anywhere",
    shortcuts: [
      { chords: [["/"]], means: "keys.ask" },
      { chords: [["Ctrl", "K"]], means: "keys.search" },
      { chords: [["Escape"]], means: "keys.close" },
      { chords: [["?"]], means: "keys.help" },
    ],
  },
  {
    title: "keys.inAnswer",
    shortcuts: [
      { chords: [["j"], ["k"]], means: "keys.step" },
      { chords: [["d"], ["D"]], means: "keys.doubtful" },
      { chords: [["o"]], means: "keys.open" },
      { chords: [["b"]], means: "keys.keep" },
    ],
  },
  {
    title: "keys.inSource",
    shortcuts: [
      { chords: [["n"], ["p"]], means: "keys.page" },
      { chords: [["PageUp"], ["PageDown"]], means: "keys.scroll" },
      { chords: [["Home"], ["End"]], means: "keys.ends" },
      { chords: [["+"], ["-"], ["0"]], means: "keys.zoom" },
      { chords: [["Ctrl", "F"]], means: "keys.find" },
      { chords: [["s"]], means: "keys.select" },
    ],
  },
  {
    title: "keys.inQuestion",
    shortcuts: [
      { chords: [["Enter"]], means: "keys.send" },
      { chords: [["Shift", "Enter"]], means: "keys.newLine" },
    ],
  },
];

/** The keys that have another name on the keyboards of each language. */
export const KEY_NAMES: Record<string, MessageKey> = {
  Escape: "keys.name.escape",
  Enter: "keys.name.enter",
  Shift: "keys.name.shift",
  PageUp: "keys.name.pageUp",
  PageDown: "keys.name.pageDown",
  Home: "keys.name.home",
  End: "keys.name.end",
};
