import { useMemo, useState } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { NARROW } from "../components/narrow";
import { useTranslate } from "../i18n";
import { FileTree } from "../projects/FileTree";
import { nameProject, projectsStore, treeOpenStore } from "../projects/projectsStore";
import { useStore } from "../state/store";
import { CodeView } from "./CodeView";
import { splitCodeLines } from "./codeLines";
import type { Highlight } from "./highlights";
import { Toolbar } from "./Toolbar";
import { useProjectFile } from "./useProjectFile";
import { handleViewerKeys } from "./viewerKeys";
import { openFile, type ProjectPath } from "./viewerStore";
import { getNextStep, zoomStore } from "./zoom";

const NONE: Highlight[] = [];

interface ProjectReaderProps {
  file: ProjectPath;
  /** Changes with every request to open the file, which loads it again. */
  request: number;
  onClose: () => void;
}

/** A file of a project as it is on disk, and the project's files beside it. */
export function ProjectReader({ file, request, onClose }: ProjectReaderProps) {
  const t = useTranslate();
  const projects = useStore(projectsStore);
  const zoom = useStore(zoomStore);
  const [scale, setScale] = useState(1);
  // Without a file there is nothing else to show.
  const isPanelOpen = useStore(treeOpenStore) || !file.path;
  const { found, problem } = useProjectFile(file, request);
  const lines = useMemo(() => (found ? splitCodeLines(found.text) : null), [found]);
  const openFromTree = (path: string) => {
    // In a narrow window the tree covers the file.
    treeOpenStore.set(!matchMedia(NARROW).matches);
    openFile(file.project, path);
  };
  const pressed = handleViewerKeys({
    find: null,
    dismiss: null,
    zoom: (by) => zoomStore.set(by === 0 ? "width" : getNextStep(scale, by)),
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work wherever the focus is in the viewer
    <div className="reader" onKeyDown={pressed}>
      <Toolbar
        title={file.path || nameProject(projects, file.project)}
        page={1}
        sheets={[]}
        citation={null}
        zoom={zoom}
        scale={scale}
        panelLabel={t("projects.files")}
        isPanelOpen={isPanelOpen}
        isFinding={false}
        actions={[]}
        onPage={() => undefined}
        onStep={() => undefined}
        onZoom={zoomStore.set}
        onPanel={() => treeOpenStore.set(!isPanelOpen)}
        onFind={null}
        onClose={onClose}
      />
      <div className="reader-body">
        {isPanelOpen && (
          <nav className="viewer-panel" aria-label={t("projects.files")} data-alone={!file.path || undefined}>
            <FileTree project={file.project} path={file.path} onOpen={openFromTree} />
          </nav>
        )}
        {problem && (
          <div className="clean viewer-state">
            <ErrorMessage fault={problem} />
          </div>
        )}
        {!file.path && <p className="clean empty">{t("projects.choose")}</p>}
        {file.path && !problem && !lines && <div className="clean" aria-busy="true" />}
        {lines && (
          <CodeView
            key={file.path}
            lines={lines}
            highlights={NONE}
            target={null}
            zoom={zoom}
            onScale={setScale}
            onChoose={() => undefined}
          />
        )}
      </div>
    </div>
  );
}
