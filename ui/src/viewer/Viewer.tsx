import { useDeferredValue } from "react";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { DocumentReader } from "./DocumentReader";
import { ProjectReader } from "./ProjectReader";
import { SheetHandle } from "./SheetHandle";
import { closeViewer, openDocument, openFile, openFoundPassage, openMark, stepMark, viewerStore } from "./viewerStore";

/** The viewer beside the conversation, which shows the state of the viewer store. */
export default function Viewer() {
  const t = useTranslate();
  // Every citation of an answer changes the marks. The words of the answer are shown first, then the source follows.
  const { document, file, page, chosenKey: chosen, marks, request: turn } = useDeferredValue(useStore(viewerStore));
  if (file) {
    return (
      <aside className="viewer" aria-label={t("viewer.source")}>
        <SheetHandle onClose={closeViewer} />
        <ProjectReader key={file.project} file={file} request={turn} onClose={closeViewer} />
      </aside>
    );
  }
  if (!document) return null;
  return (
    <aside className="viewer" aria-label={t("viewer.source")}>
      <SheetHandle onClose={closeViewer} />
      <DocumentReader
        reading={{ document, page, chosenKey: chosen, marks, request: turn }}
        onChoose={openMark}
        onStep={stepMark}
        onClose={closeViewer}
        onOther={openDocument}
        onFound={openFoundPassage}
        onFile={openFile}
      />
    </aside>
  );
}
