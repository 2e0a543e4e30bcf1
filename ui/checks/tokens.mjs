/** Check that colours, sizes and times are named in `src/styles/tokens.css` alone, and that every token exists and is used. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SRC = join(import.meta.dirname, "../src");
const TOKENS = "styles/tokens.css";

const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark)\(/i;
const LENGTH = /(?<![\w#.-])-?(?:\d+\.?\d*|\.\d+)(?:px|rem|pt|pc|cm|mm|in|q)\b/i;
const TIME = /(?<![\w#.-])(?:\d+\.?\d*|\.\d+)m?s\b/i;
/** The named colours of CSS but `transparent` and `currentColor`. */
const NAMED = new RegExp(
  `(?<![\\w-])(?:${`
  aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
  cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
  darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
  darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
  firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
  hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
  lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
  mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
  midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
  palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
  rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
  slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
  yellowgreen`
    .trim()
    .split(/\s+/)
    .join("|")})(?![\\w-])`,
  "i",
);
/** A declaration; conditions of @media and @container end with a brace and are none. */
const DECLARATION = /(?<![\w-])(-{0,2}[a-z][\w-]*)\s*:\s*([^;{}]+)[;}]/gi;
/** A computed size in a relative unit. */
const RELATIVE = /`[^`]*(?:%|ch|em|vh|vw)`/g;
const RULES = [
  ["colour", COLOUR],
  ["colour", NAMED],
  ["size", LENGTH],
  ["time", TIME],
];

/** Replace what a pattern matches by spaces, so that line numbers stay. */
const blank = (text, pattern) => text.replace(pattern, (found) => found.replace(/[^\n]/g, " "));
const lineOf = (text, index) => text.slice(0, index).split("\n").length;

/** List the declarations of a style sheet that name a colour, a size or a time. */
export function checkStyleSheet(source) {
  const text = blank(blank(source, /\/\*[\s\S]*?\*\//g), /"[^"\n]*"|'[^'\n]*'|url\([^)]*\)/g);
  return [...text.matchAll(DECLARATION)].flatMap((found) =>
    RULES.filter(([, pattern]) => pattern.test(found[2])).map(
      ([kind]) => `${lineOf(text, found.index)}: ${kind} in "${found[1]}: ${found[2].trim()}"`,
    ),
  );
}

/** Return the text from an opening brace to the one that closes it. */
function takeBraces(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "{") depth++;
    if (text[at] === "}" && --depth === 0) return text.slice(from, at + 1);
  }
  return text.slice(from);
}

/** List the colours in a component, and the sizes in its style attributes. */
export function checkComponent(source) {
  const text = blank(source, /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm);
  const colours = [...text.matchAll(/["'`][^"'`\n]*["'`]/g)]
    .filter(
      ([literal]) =>
        /^.#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8}).$/i.test(literal) || /^.(?:rgba?|hsla?)\(/.test(literal),
    )
    .map((found) => `${lineOf(text, found.index)}: colour in ${found[0]}`);
  const sizes = [...text.matchAll(/\bstyle=\{/g)]
    .map(({ index }) => ({ index, style: takeBraces(text, text.indexOf("{", index)) }))
    .filter(({ style }) => /(?<![\w.-])[1-9]\d*(?:\.\d+)?(?:px|rem)?\b(?!%)/.test(style.replace(RELATIVE, "")))
    .map(({ index, style }) => `${lineOf(text, index)}: size in style=${style}`);
  return [...colours, ...sizes];
}

/** List the tokens that do not exist and those that nothing uses. */
export function checkNames(tokens, others) {
  const plain = tokens.replace(/\/\*[\s\S]*?\*\//g, "");
  const defined = new Set([...plain.matchAll(/(--[\w-]+)\s*:/g)].map(([, name]) => name));
  const local = new Set([...others.matchAll(/["'\s;{](--[\w-]+)["']?\s*:/g)].map(([, name]) => name));
  const used = new Set([...`${plain}${others}`.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name));
  return [
    ...[...used]
      .filter((name) => !defined.has(name) && !local.has(name))
      .map((name) => `${name} is used and not defined`),
    ...[...defined].filter((name) => !used.has(name)).map((name) => `${name} is defined and not used`),
  ];
}

function check() {
  const paths = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(css|tsx?)$/.test(path) && path !== TOKENS && path !== "api/schema.ts",
  );
  const files = paths.map((path) => ({ path, text: readFileSync(join(SRC, path), "utf8") }));
  const found = files.flatMap(({ path, text }) =>
    (path.endsWith(".css") ? checkStyleSheet(text) : checkComponent(text)).map((each) => `src/${path}:${each}`),
  );
  const names = checkNames(readFileSync(join(SRC, TOKENS), "utf8"), files.map(({ text }) => text).join("\n"));
  return [...found, ...names.map((each) => `src/${TOKENS}: ${each}`)];
}

if (process.argv[1] === import.meta.filename) {
  const problems = check();
  for (const each of problems) process.stderr.write(`${each}\n`);
  if (problems.length) process.stderr.write(`Name colours, sizes and times in src/${TOKENS} and use them by var().\n`);
  process.exitCode = problems.length ? 1 : 0;
}
