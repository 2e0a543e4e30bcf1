/** A document's headings, from the file itself or from the server. */
import { got, server } from "../api/client";
import type { Pdf } from "./pdf";

export interface Entry {
  key: string;
  title: string;
  level: number;
  page: number | null;
  start: number | null;
}

type Nodes = Awaited<ReturnType<Pdf["getOutline"]>>;

const MOST = 2000;
const DEEPEST = 6;

/** The outline a PDF brings along, or the headings found in the text. */
export async function headings(document: string, pdf: Pdf | null): Promise<Entry[]> {
  const own = pdf ? await outlined(pdf) : [];
  if (own.length) return own;
  const params = { path: { document } };
  const found = got(await server.GET("/api/documents/{document}/outline", { params }));
  return found.map((each) => ({ ...each, key: `${each.start}` }));
}

async function outlined(pdf: Pdf): Promise<Entry[]> {
  const entries: Entry[] = [];
  const walk = async (nodes: Nodes, level: number): Promise<void> => {
    for (const node of nodes) {
      if (entries.length >= MOST) return;
      const title = node.title.trim();
      const page = await pageOf(pdf, node.dest);
      if (title && page !== null) entries.push({ key: `${entries.length}`, title, level, page, start: null });
      if (level < DEEPEST) await walk(node.items as Nodes, level + 1);
    }
  };
  await walk((await pdf.getOutline()) ?? [], 1);
  return entries;
}

/** The page an entry leads to; null for one that leads out of the document or nowhere. */
async function pageOf(pdf: Pdf, destination: Nodes[number]["dest"]): Promise<number | null> {
  try {
    const found = typeof destination === "string" ? await pdf.getDestination(destination) : destination;
    const page: unknown = found?.[0];
    if (typeof page === "number") return page + 1;
    if (typeof page === "object" && page !== null) return (await pdf.getPageIndex(page as Reference)) + 1;
  } catch {
    // A destination that is not in the file.
  }
  return null;
}

type Reference = Parameters<Pdf["getPageIndex"]>[0];
