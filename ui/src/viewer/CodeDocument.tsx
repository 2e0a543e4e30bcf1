import { ErrorMessage } from "../components/ErrorMessage";
import { useTranslate } from "../i18n";
import { CodeView } from "./CodeView";
import type { Highlight } from "./highlights";
import { useCodeText } from "./useCodeText";
import { useProjectFile } from "./useProjectFile";
import type { ScrollTarget } from "./useScrollTarget";
import { type Mark, openFile, type ProjectPath } from "./viewerStore";
import type { Zoom } from "./zoom";

interface CodeDocumentProps {
  document: string;
  /** Where the file is, if it is one of a project. */
  file: ProjectPath | null;
  highlights: Highlight[];
  target: ScrollTarget | null;
  zoom: Zoom;
  onScale: (scale: number) => void;
  onChoose: (mark: Mark) => void;
}

/** A source file as it was read, with its lines, and a note if the file in the project has changed since. */
export function CodeDocument({ document, file, ...view }: CodeDocumentProps) {
  const t = useTranslate();
  const { code, problem, again } = useCodeText(document);
  if (problem) {
    return (
      <div className="clean viewer-state">
        <ErrorMessage fault={problem}>
          <button type="button" className="button" onClick={again}>
            {t("viewer.again")}
          </button>
        </ErrorMessage>
      </div>
    );
  }
  if (!code) return <div className="clean" aria-busy="true" />;
  return (
    <div className="code-place">
      {file && <ChangedNotice file={file} text={code.text} />}
      <CodeView lines={code.lines} {...view} />
    </div>
  );
}

/** A note that a file of a project is not as it was read, and a button that opens it as it is now. */
function ChangedNotice({ file, text }: { file: ProjectPath; text: string }) {
  const t = useTranslate();
  const { found, problem } = useProjectFile(file);
  const isGone = problem?.status === 404;
  if (!isGone && (!found || normalizeText(found.text) === normalizeText(text))) return null;
  return (
    <div className="viewer-notice viewer-snapshot" role="status">
      <p>{t(isGone ? "projects.gone" : "projects.changed")}</p>
      {!isGone && (
        <button type="button" className="viewer-copies viewer-now" onClick={() => openFile(file.project, file.path)}>
          {t("projects.openNow")}
        </button>
      )}
    </div>
  );
}

/** Return a text with plain line ends and without its mark of the byte order, which a stored text may lack. */
function normalizeText(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}
