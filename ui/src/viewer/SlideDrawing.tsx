import { memo, useLayoutEffect, useRef } from "react";
import type { components } from "../api/schema";
import { DrawnParagraphs, DrawnPictureView, DrawnTableView, type Lighting, type Measure } from "./DrawnText";

type DrawnSlide = components["schemas"]["DrawnSlide"];
type DrawnShape = components["schemas"]["DrawnShape"];

interface SlideDrawingProps {
  document: string;
  drawing: DrawnSlide;
  /** Null draws a picture of the slide, whose words cannot be selected. */
  lighting: Lighting | null;
}

/** A slide as it looks, at the width of its holder. All sizes are shares of that width. */
export const SlideDrawing = memo(function Slide({ document, drawing, lighting }: SlideDrawingProps) {
  const { width, height, background, picture, shapes } = drawing;
  const measure: Measure = (points) => `${(100 * points) / width}cqw`;
  return (
    <div className="slide" aria-hidden={lighting === null || undefined}>
      <div
        className="slide-inside"
        data-whole
        style={{ aspectRatio: `${width} / ${height}`, ...(background && { backgroundColor: background }) }}
      >
        {picture && <DrawnPictureView document={document} picture={picture} />}
        {shapes.map((shape) => (
          <Shape
            key={shape.layer}
            document={document}
            shape={shape}
            slide={drawing}
            measure={measure}
            lighting={lighting}
          />
        ))}
      </div>
    </div>
  );
});

interface ShapeProps extends Pick<SlideDrawingProps, "document" | "lighting"> {
  shape: DrawnShape;
  slide: DrawnSlide;
  measure: Measure;
}

function Shape({ document, shape, slide, measure, lighting }: ShapeProps) {
  const { left, top, width, height, layer, turn, form, fill, line, thickness, picture } = shape;
  const isLine = form === "down" || form === "up";
  const bottom = height && "100%";
  const hasWords = shape.paragraphs.length > 0 || shape.table;
  return (
    <div
      className="slide-shape"
      data-form={form}
      style={
        {
          left: `${(100 * left) / slide.width}%`,
          top: `${(100 * top) / slide.height}%`,
          width: `${(100 * width) / slide.width}%`,
          height: `${(100 * height) / slide.height}%`,
          "--layer": layer,
          ...(turn && { transform: `rotate(${turn}deg)` }),
          ...(fill && !isLine && { backgroundColor: fill }),
          ...(line && !isLine && { boxShadow: `inset 0 0 0 ${measure(thickness)} ${line}` }),
        } as React.CSSProperties
      }
    >
      {picture && <DrawnPictureView document={document} picture={picture} />}
      {isLine && line && (
        <svg className="slide-line" aria-hidden="true" style={{ stroke: line, strokeWidth: measure(thickness) }}>
          <line x1="0" x2={width && "100%"} y1={form === "up" ? bottom : 0} y2={form === "up" ? 0 : bottom} />
        </svg>
      )}
      {hasWords && <ShapeText document={document} shape={shape} slide={slide} measure={measure} lighting={lighting} />}
    </div>
  );
}

const SMALLEST_FIT = 0.5;
const FIT_STEP = 0.05;
/** Words that are so much higher than their shape were meant to leave it. */
const MEANT = 1.35;

/** The words of a shape. Other fonts than the author's may be wider, so that they are made to fit. */
function ShapeText({ document, shape, slide, measure, lighting }: ShapeProps) {
  const holder = useRef<HTMLDivElement>(null);
  const { anchor, insets, wraps, paragraphs, table } = shape;
  const drawn = { document, measure, lighting };
  useLayoutEffect(() => {
    if (holder.current) fitWords(holder.current, shape, slide);
  }, [shape, slide]);
  return (
    <div
      ref={holder}
      className="slide-words"
      data-anchor={anchor}
      data-wraps={wraps || undefined}
      style={{ padding: measureInsets(insets, measure) }}
    >
      <div className="slide-words-inside">
        <DrawnParagraphs paragraphs={paragraphs} {...drawn} />
        {table && <DrawnTableView table={table} {...drawn} />}
      </div>
    </div>
  );
}

function measureInsets([left, top, right, bottom]: DrawnShape["insets"], measure: Measure): string {
  return [top, right, bottom, left].map(measure).join(" ");
}

/** Make the words of a shape smaller until they fit into it, or into the slide if they were meant to leave it. */
function fitWords(holder: HTMLElement, shape: DrawnShape, slide: DrawnSlide): void {
  const inside = holder.firstElementChild;
  if (!(inside instanceof HTMLElement) || !holder.offsetHeight) return;
  const measureShare = () => {
    const style = getComputedStyle(holder);
    const room = holder.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
    return inside.offsetHeight / Math.max(1, room);
  };
  holder.style.removeProperty("--fit");
  const overflow = measureShare();
  const meant = shape.table || overflow > MEANT ? Math.max(1, (slide.height - shape.top) / shape.height) : 1;
  for (let fit = 1 - FIT_STEP; measureShare() > meant * 1.02 && fit >= SMALLEST_FIT; fit -= FIT_STEP) {
    holder.style.setProperty("--fit", fit.toFixed(2));
  }
}
