/** Name a browser and its system by the way it describes itself. */

const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const SYSTEMS: [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const find = (known: [RegExp, string][], agent: string) => known.find(([sign]) => sign.test(agent))?.[1] ?? "";

/** Return the names of the browser and the system; "" for one that is not known. */
export function nameBrowser(agent: string): { browser: string; system: string } {
  const program = /^([\w.-]{2,40})\/[\d.]/.exec(agent)?.[1] ?? "";
  const browser = find(BROWSERS, agent) || (program === "Mozilla" ? "" : program);
  return { browser, system: find(SYSTEMS, agent) };
}
