import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { DocumentReader } from "./DocumentReader";
import { SheetHandle } from "./SheetHandle";
import { closeViewer, openDocument, openMark, stepMark, viewerStore } from "./viewerStore";

/** The viewer beside the conversation, which shows the state of the viewer store. */
export default function Viewer() {
  const t = useTranslate();
  const { document, page, chosenKey: chosen, marks, request: turn } = useStore(viewerStore);
  if (!document) return null;
  const quote = marks.find((mark) => mark.key === chosen)?.quote ?? "";
  return (
    <aside className="viewer" aria-label={t("viewer.source")}>
      <SheetHandle quote={quote} onClose={closeViewer} />
      <DocumentReader
        reading={{ document, page, chosenKey: chosen, marks, request: turn }}
        onChoose={openMark}
        onStep={stepMark}
        onClose={closeViewer}
        onOther={openDocument}
      />
    </aside>
  );
}
