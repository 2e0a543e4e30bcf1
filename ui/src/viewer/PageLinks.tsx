import { useEffect, useState } from "react";
import { useTranslate } from "../i18n";
import { getNumberedPage, namePage } from "../text/pageNames";
import { isWebAddress } from "../text/webAddresses";
import { resolvePage } from "./outlineEntries";
import { type Rect, toPercent } from "./pageGeometry";
import type { Pdf } from "./pdf";
import type { Sheet } from "./useDocument";

const RESTING = 250;

/** A link of a page: to another page of the file, or to an address. */
export interface PageLink {
  key: string;
  style: ReturnType<typeof toPercent>;
  page: number | null;
  url: string | null;
}

interface PageLinksProps {
  pdf: Pdf;
  number: number;
  sheets: Sheet[];
  onGo: (page: number) => void;
}

/** The links of a page. One within the file is followed in the viewer, another one in a tab of its own. */
export function PageLinks({ pdf, number, sheets, onGo }: PageLinksProps) {
  const t = useTranslate();
  const [links, setLinks] = useState<PageLink[]>([]);
  useEffect(() => {
    let isLeft = false;
    const load = () =>
      loadLinks(pdf, number).then(
        (found) => !isLeft && setLinks(found),
        () => undefined,
      );
    const timer = setTimeout(load, RESTING);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [pdf, number]);
  const name = (page: number | null) => t("viewer.linkTo", { page: namePage(t, getNumberedPage(sheets, page)) });
  return links.map(({ key, style, page, url }) =>
    url !== null ? (
      // biome-ignore lint/a11y/useAnchorContent: its words are in the picture of the page
      <a
        key={key}
        className="page-link"
        style={style}
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        draggable={false}
        title={url}
        aria-label={t("viewer.linkOut", { url })}
      />
    ) : (
      <button
        key={key}
        type="button"
        className="page-link"
        style={style}
        title={name(page)}
        aria-label={name(page)}
        onClick={() => page !== null && onGo(page)}
      />
    ),
  );
}

/** Load the links of a page that lead somewhere: to a page of the file, or to a web or mail address. */
export async function loadLinks(pdf: Pdf, number: number): Promise<PageLink[]> {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: 1 });
  const links: PageLink[] = [];
  for (const [at, annotation] of (await page.getAnnotations({ intent: "display" })).entries()) {
    if (annotation.subtype !== "Link" || !Array.isArray(annotation.rect)) continue;
    const url = isSafeAddress(annotation.url) ? annotation.url : null;
    const target = url === null && annotation.dest ? await resolvePage(pdf, annotation.dest) : null;
    if (url === null && target === null) continue;
    const rect = placeRect(viewport.transform as Matrix, annotation.rect);
    links.push({ key: `${at}`, style: toPercent(rect, viewport), page: target, url });
  }
  return links;
}

type Matrix = [number, number, number, number, number, number];

/** Transform a rectangle of a PDF, which counts from below, to one that counts from the top left. */
export function placeRect([a, b, c, d, e, f]: Matrix, [x0 = 0, y0 = 0, x1 = 0, y1 = 0]: number[]): Rect {
  const [left, top, right, bottom] = [
    a * x0 + c * y0 + e,
    b * x0 + d * y0 + f,
    a * x1 + c * y1 + e,
    b * x1 + d * y1 + f,
  ];
  return [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)];
}

/** Return whether an address may be opened: one of the web, or a mail address. Scripts and files may not. */
export function isSafeAddress(url: unknown): url is string {
  return typeof url === "string" && (isWebAddress(url) || /^mailto:/i.test(url));
}
