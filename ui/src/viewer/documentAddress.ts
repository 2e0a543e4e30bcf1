/** The address of a document's own page, at a passage or a page of it. */
import type { Mark } from "./viewerStore";

/** Make the address of a passage or a page of a document. */
export function makeLink(document: string, mark: Mark | null, page: number | null): string {
  if (mark && mark.start !== null && mark.end !== null) return `/d/${document}?span=${mark.start}-${mark.end}`;
  const at = mark?.page ?? page;
  return at === null ? `/d/${document}` : `/d/${document}?page=${at}`;
}

/** Parse the span and the page of an address: `?span=a-b&page=n`. Invalid values are ignored. */
export function parseDocumentAddress(search: string): {
  span: { start: number; end: number } | null;
  page: number | null;
} {
  const query = new URLSearchParams(search);
  const page = /^[1-9]\d{0,8}$/.exec(query.get("page") ?? "");
  const span = /^(\d{1,10})-(\d{1,10})$/.exec(query.get("span") ?? "");
  const [start, end] = [Number(span?.[1]), Number(span?.[2])];
  return { span: span && start < end ? { start, end } : null, page: page ? Number(page[0]) : null };
}
