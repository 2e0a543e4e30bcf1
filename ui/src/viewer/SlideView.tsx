import { useCallback, useEffect, useRef } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { titlePage } from "../text/pageNames";
import type { Highlight } from "./highlights";
import { computeFitScale, MARGIN } from "./pageGeometry";
import { type SectionPlace, SectionScroller } from "./SectionScroller";
import { SlideDrawing } from "./SlideDrawing";
import { listWithin, renderBlock, Skeleton } from "./TextView";
import type { Sheet } from "./useDocument";
import type { ScrollTarget } from "./useScrollTarget";
import { useSize } from "./useSize";
import type { Slides } from "./useSlides";
import type { Mark } from "./viewerStore";
import { UNIT, type Zoom } from "./zoom";
import "./drawnText.css";
import "./slides.css";

interface SlideViewProps {
  document: string;
  slides: Slides;
  sheets: Sheet[];
  highlights: Highlight[];
  target: ScrollTarget | null;
  zoom: Zoom;
  onPage: (page: number) => void;
  onStart: (start: number) => void;
  onScale: (scale: number) => void;
  onChoose: (mark: Mark) => void;
}

/** A presentation as it looks: its slides below each other, and under each the words that are not drawn on it. */
export function SlideView(props: SlideViewProps) {
  const { document, slides: deck, sheets, highlights, target, zoom, onPage, onStart, onScale, onChoose } = props;
  const { slides, problem, size, load } = deck;
  const t = useTranslate();
  const holder = useRef<HTMLDivElement>(null);
  const view = useSize(holder);
  const scale = typeof zoom === "number" ? zoom * UNIT : computeFitScale([size], 0, view, zoom);
  const width = Math.round(size.width * scale);

  useEffect(() => onScale(scale / UNIT), [scale, onScale]);

  const loadSection = useCallback((section: number) => load(section + 1), [load]);
  const find = useCallback(
    async ({ page, start }: ScrollTarget): Promise<SectionPlace | null> => {
      const at = page === null ? sheets.findLastIndex((sheet) => sheet.start <= (start ?? 0)) : page - 1;
      const sheet = sheets[at];
      if (!sheet) return null;
      await load(at + 1);
      return { section: at, block: sheet.start };
    },
    [sheets, load],
  );
  const read = ({ section, block }: SectionPlace) => {
    onStart(block);
    onPage(section + 1);
  };
  const render = (section: number) => {
    const [slide, sheet] = [slides[section + 1], sheets[section]];
    if (!slide || !sheet) return null;
    const lighting = { highlights: listWithin(highlights, slide), pulse: target?.id ?? 0, onChoose };
    return (
      <article
        className="slide-page"
        data-page={slide.number}
        data-block={sheet.start}
        aria-label={titlePage(t, { page: slide.number, label: sheet.label })}
      >
        {slide.drawing && <SlideDrawing document={document} drawing={slide.drawing} lighting={lighting} />}
        {slide.blocks.length > 0 && (
          <div className="slide-rest">
            {slide.drawing && <p className="slide-rest-title">{t("viewer.slideRest")}</p>}
            {slide.blocks.map((block) => renderBlock(block, "pptx", highlights, target?.id ?? 0, onChoose))}
          </div>
        )}
      </article>
    );
  };
  return (
    <div className="slides-holder" ref={holder}>
      <SectionScroller
        className="slides clean"
        kind="pptx"
        label={t("viewer.slides")}
        count={sheets.length}
        target={target}
        find={find}
        load={loadSection}
        isLoaded={(section) => section + 1 in slides}
        render={render}
        estimate={() => Math.round(size.height * scale) + MARGIN}
        waiting={problem ? null : <Skeleton />}
        onRead={read}
      >
        {(sections, reload) => (
          <div className="slides-inside" style={{ width }}>
            {problem && (
              <div className="clean-trouble">
                <ErrorMessage fault={problem}>
                  <button type="button" className="button" onClick={reload}>
                    {t("viewer.again")}
                  </button>
                </ErrorMessage>
              </div>
            )}
            {sections}
          </div>
        )}
      </SectionScroller>
    </div>
  );
}
