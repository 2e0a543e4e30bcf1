import { DrawnParagraphs, DrawnTableView, type Lighting, type Measure } from "./DrawnText";
import type { DrawnBlock } from "./useDocumentText";
import "./drawnText.css";

interface DrawnBlockProps {
  document: string;
  drawing: DrawnBlock;
  lighting: Lighting;
}

const measure: Measure = (points) => `calc(var(--point) * ${points})`;

/** A paragraph or a table of a document as it looks. */
export function DrawnBlockView({ document, drawing, lighting }: DrawnBlockProps) {
  const { start, level, paragraph, table } = drawing;
  const drawn = { document, measure, lighting };
  return (
    <div className="drawn-block" data-block={start}>
      {paragraph && <DrawnParagraphs paragraphs={[paragraph]} level={level} {...drawn} />}
      {table && <DrawnTableView table={table} {...drawn} />}
    </div>
  );
}
