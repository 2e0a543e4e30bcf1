/** A sheet of paper with a folded corner; the kinds of files are drawn on it. */
const FILE = "M5.5 3h6l3.5 3.5V17h-9.5zM11.5 3v3.5H15";

/** The icons: strokes on a grid of 20, in the colour of the text around them. */
const STROKES = {
  add: "M10 4v12M4 10h12",
  ask: "M4 15.5V5.5A1.5 1.5 0 0 1 5.5 4h9A1.5 1.5 0 0 1 16 5.5v6a1.5 1.5 0 0 1-1.5 1.5H7z",
  attach: "M14.5 8.5 9 14a2.5 2.5 0 0 1-3.5-3.5l6-6a1.7 1.7 0 0 1 2.5 2.4l-5.7 5.7a.8.8 0 0 1-1.1-1.2L12 6.6",
  back: "M12 5l-5 5 5 5",
  bad: "M10 6v5M10 14v.01M10 3l7.5 13.5h-15z",
  check: "M4.5 10.5l3.5 3.5 7.5-8",
  close: "M5 5l10 10M15 5L5 15",
  code: "M7 5.5L2.5 10 7 14.5M13 5.5L17.5 10 13 14.5",
  comment: "M4 15.5V5.5A1.5 1.5 0 0 1 5.5 4h9A1.5 1.5 0 0 1 16 5.5v6a1.5 1.5 0 0 1-1.5 1.5H7zM7 7.5h6M7 10h4",
  copy: "M7 7h8.5v9.5H7zM4.5 13V3.5H12",
  cross: "M6 6l8 8M14 6l-8 8",
  document: FILE,
  down: "M5 8l5 5 5-5",
  edit: "M4 16l.7-3.2L13 4.5 15.5 7l-8.3 8.3z",
  export: "M10 12.5v-9M6.5 7L10 3.5 13.5 7M4 12.5v4h12v-4",
  fileCode: `${FILE}M8.8 9.5l-1.8 2.3 1.8 2.3M11.7 9.5l1.8 2.3-1.8 2.3`,
  fileFailed: `${FILE}M10.2 9v3M10.2 14.3v.01`,
  fileMail: `${FILE}M7.2 9.7h6v4.6h-6zM7.2 9.9l3 2.3 3-2.3`,
  fileMarkdown: `${FILE}M9.2 9.2l-.7 5.3M12.1 9.2l-.7 5.3M7.5 10.9h5.7M7.2 12.9h5.7`,
  filePdf: `${FILE}M7.5 14v-4h1.3a1.2 1.2 0 0 1 0 2.4H7.5M11.5 10v4`,
  filePicture: `${FILE}M7 14.5l2.3-3 1.7 1.9 1-1 1.5 2.100M12.3 9.500v.01`,
  fileSheet: `${FILE}M7.3 9.500h6v5h-6zM7.3 12h6M10.3 9.500v5`,
  fileSlides: `${FILE}M7.2 9.500h6v3.500h-6zM10.2 13v1.8`,
  fileText: `${FILE}M7.7 9.500h5M7.7 12h5M7.7 14.500h3`,
  fileWeb: `${FILE}M10.2 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM7.2 12h6`,
  fileWord: `${FILE}M7.2 9.800l1.3 4.4 1.7-3.9 1.7 3.9 1.3-4.4`,
  fit: "M4 7V4h3M13 4h3v3M16 13v3h-3M7 16H4v-3",
  folder: "M3 15.5v-11h5l1.5 2H17v9z",
  focus: "M10 4v2M10 14v2M4 10h2M14 10h2M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  forward: "M8 5l5 5-5 5",
  grip: "M7.5 5h.01M12.5 5h.01M7.5 10h.01M12.5 10h.01M7.5 15h.01M12.5 15h.01",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.5v4M10 6.8v.01",
  keep: "M6 3.5h8V17l-4-3.5L6 17z",
  leave: "M8 4H4.5v12H8M12.5 6.5L16 10l-3.5 3.5M8 10h8",
  library: "M4 4h3v12H4zM8.5 4h3v12h-3zM13 4.8l2.8-.7 2.6 11.4-2.8.7z",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l2.4-2.4a3 3 0 0 0-4.2-4.2l-.9.9M11.5 8.5a3 3 0 0 0-4.2 0l-2.4 2.4a3 3 0 0 0 4.2 4.2l.9-.9",
  list: "M7 5h9.5M7 10h9.5M7 15h9.5M3.5 5h.01M3.5 10h.01M3.5 15h.01",
  marker: "M4 16.5h12M6.5 11.5l5.500-8 4 2.700-5.500 8H6.500z",
  menu: "M4.5 9.5v1M4 10h1M10 9.5v1M9.5 10h1M15.5 9.5v1M15 10h1",
  minus: "M4 10h12",
  model: "M6 6h8v8H6zM8 3v3M12 3v3M8 14v3M12 14v3M3 8h3M3 12h3M14 8h3M14 12h3",
  moon: "M15.500 12A6.500 6.500 0 0 1 8 4.500a6.500 6.500 0 1 0 7.500 7.500z",
  notebook: "M5.5 3H16v14H5.5zM8.500 3v14M3.5 6h3M3.5 10h3M3.5 14h3",
  open: "M11 4h5v5M16 4l-7 7M13.5 11.5V16H4V6.5h4.5",
  outline: "M4 5h12M7 10h9M10 15h6",
  panel: "M3.5 4h13v12h-13zM8 4v12",
  people:
    "M8 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 15.5c.6-2.7 2.5-3.7 5-3.7s4.4 1 5 3.7M12.5 4.8a2.5 2.5 0 0 1 0 4.4M14.5 12.2c1.5.5 2.3 1.6 2.7 3.3",
  person: "M10 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 16.5c.8-3 3-4 6-4s5.2 1 6 4",
  picture: "M3 4.5h14v11H3zM3 13l4-4 3.5 3.5L13 10l4 4M12.5 7.5v.01",
  place: "M10 17s5-4.6 5-8.5a5 5 0 0 0-10 0C5 12.4 10 17 10 17zM10 10.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4z",
  play: "M7 4.5l8.5 5.5L7 15.5z",
  refresh: "M15.5 8A6 6 0 1 0 16 11.5M16 4v4.2h-4.2",
  remove: "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.8 11h7.4l.8-11M8.5 9v4.5M11.5 9v4.5",
  report: "M5 3h10v14H5zM8 6.5h4M8 10h4M8 13h2.5",
  rotate: "M15 4v4h-4M15 8a6 6 0 1 0 .6 4",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l4 4",
  send: "M10 16V4.5M5 9.5l5-5 5 5",
  settings:
    "M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  share:
    "M13.5 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM13.5 16.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.8 9.1l4-2.5M7.8 10.9l4 2.5",
  spark: "M10 3l1.7 5.3L17 10l-5.3 1.7L10 17l-1.7-5.3L3 10l5.3-1.7z",
  stop: "M6 6h8v8H6z",
  strict: "M10 3l6 2v5c0 3.5-2.5 5.8-6 7-3.5-1.2-6-3.5-6-7V5zM7.5 10l2 2 3.5-4",
  sun: "M10 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM10 2.500v1.500M10 16v1.500M2.500 10H4M16 10h1.500M4.700 4.700l1 1M14.300 14.300l1 1M4.700 15.300l1-1M14.300 5.700l1-1",
  thumbDown:
    "M6.5 4v7.5M6.5 11.5l3 5c1.2 0 1.7-.8 1.5-2l-.5-2.5h4.3c1 0 1.6-.8 1.4-1.800l-1-4.7c-.2-.9-.9-1.5-1.800-1.5H3.5v7.5z",
  thumbUp:
    "M6.5 16V8.5M6.5 8.5l3-5c1.2 0 1.7.8 1.5 2L10.5 8h4.3c1 0 1.6.8 1.4 1.800l-1 4.7c-.2.9-.9 1.5-1.800 1.5H3.5V8.5z",
  thumbnails: "M3.5 3.5h5.5v7H3.5zM3.5 13h5.5v3.5H3.5zM11.5 3.5H16.5v3.5h-5zM11.5 9.5H16.5v7h-5z",
  up: "M5 12l5-5 5 5",
  tag: "M3.5 3.5h6l7 7-6 6-7-7zM7 7h.01",
  web: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c4 4 4 10 0 14M10 3c-4 4-4 10 0 14",
} as const;

export type IconName = keyof typeof STROKES;
/** The sizes of icons, in pixels. */
export type IconSize = 12 | 14 | 16 | 20 | 28;

/** An icon. The button around it carries its label. */
export function Icon({ name, size = 20 }: { name: IconName; size?: IconSize }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d={STROKES[name]} stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
