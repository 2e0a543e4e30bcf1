/** The outline of a document, from its file or from the server. */
import { server, unwrap } from "../api/client";
import type { Pdf } from "./pdf";

export interface OutlineEntry {
  key: string;
  title: string;
  level: number;
  page: number | null;
  start: number | null;
}

type Nodes = Awaited<ReturnType<Pdf["getOutline"]>>;

const MAX_ENTRIES = 2000;
const MAX_LEVEL = 6;

/** Load the outline in the PDF, else the headings that were found in the text. */
export async function loadOutline(document: string, pdf: Pdf | null): Promise<OutlineEntry[]> {
  const own = pdf ? await readPdfOutline(pdf) : [];
  if (own.length) return own;
  const params = { path: { document } };
  const found = unwrap(await server.GET("/api/documents/{document}/outline", { params }));
  return found.map((each) => ({ ...each, key: `${each.start}` }));
}

async function readPdfOutline(pdf: Pdf): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  const walk = async (nodes: Nodes, level: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= MAX_ENTRIES) return;
      const title = node.title.trim();
      const page = await resolvePage(pdf, node.dest);
      if (title && page !== null) entries.push({ key: `${entries.length}`, title, level, page, start: null });
      if (level < MAX_LEVEL) await walk(node.items as Nodes, level + 1);
    }
  };
  await walk((await pdf.getOutline()) ?? [], 1);
  return entries;
}

/** Resolve the page of a destination; null if it leads out of the document or nowhere. */
export async function resolvePage(pdf: Pdf, destination: Nodes[number]["dest"]): Promise<number | null> {
  try {
    const found = typeof destination === "string" ? await pdf.getDestination(destination) : destination;
    const page: unknown = found?.[0];
    if (typeof page === "number") return page + 1;
    if (typeof page === "object" && page !== null) return (await pdf.getPageIndex(page as Reference)) + 1;
  } catch {
    // The destination is not in the file.
  }
  return null;
}

type Reference = Parameters<Pdf["getPageIndex"]>[0];

/**
 * Find the entry of the section that is being read: by its first character where the text is shown, else by its page.
 * Of several on one page it is the one that was gone to, else the first.
 */
export function findCurrentEntry(
  entries: readonly OutlineEntry[],
  { page, start, goneTo }: { page: number | null; start: number | null; goneTo: string | null },
): OutlineEntry | null {
  if (start !== null && entries.some((entry) => entry.start !== null)) {
    return entries.findLast((entry) => entry.start !== null && entry.start <= start) ?? entries[0] ?? null;
  }
  if (page === null) return null;
  const here = entries.filter((entry) => entry.page === page);
  const before = entries.findLast((entry) => entry.page !== null && entry.page < page);
  return here.find((entry) => entry.key === goneTo) ?? here[0] ?? before ?? null;
}
