import { useEffect, useMemo, useRef, useState } from "react";
import { server, unwrap } from "../api/client";
import { type Problem, toProblem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { buildTree, type FolderNode, filterPaths, type TreeNode } from "./fileTree";
import "./projects.css";

const MOST_FOUND = 200;

interface FileTreeProps {
  project: string;
  /** The open file; its folders are open. */
  path: string;
  onOpen: (path: string) => void;
}

/** The files of a project: folders that open, and a field that finds a file by its name. */
export function FileTree({ project, path, onOpen }: FileTreeProps) {
  const t = useTranslate();
  const { paths, problem } = usePaths(project);
  const [words, setWords] = useState("");
  const nodes = useMemo(() => buildTree(paths ?? []), [paths]);
  const found = words.trim() ? filterPaths(paths ?? [], words) : null;
  if (problem) {
    return (
      <div className="panel-list">
        <ErrorMessage fault={problem} />
      </div>
    );
  }
  if (!paths) return <div className="panel-list" aria-busy="true" />;
  if (!paths.length) return <p className="panel-none soft small">{t("projects.noFiles")}</p>;
  return (
    <>
      <input
        type="search"
        className="field tree-find"
        placeholder={t("projects.find")}
        aria-label={t("projects.find")}
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      {found ? (
        <FoundFiles found={found} path={path} onOpen={onOpen} />
      ) : (
        <div className="panel-list tree">
          <Nodes nodes={nodes} path={path} onOpen={onOpen} />
        </div>
      )}
    </>
  );
}

function FoundFiles({ found, path, onOpen }: { found: string[] } & Omit<FileTreeProps, "project">) {
  const t = useTranslate();
  if (!found.length) return <p className="panel-none soft small">{t("projects.notFound")}</p>;
  const rest = found.length - MOST_FOUND;
  return (
    <ul className="panel-list tree">
      {found.slice(0, MOST_FOUND).map((each) => (
        <li key={each}>
          <FileButton name={each} path={each} isOpen={each === path} onOpen={onOpen} />
        </li>
      ))}
      {rest > 0 && <li className="panel-none soft small">{t.count("projects.more", rest)}</li>}
    </ul>
  );
}

function Nodes({ nodes, path, onOpen }: { nodes: TreeNode[] } & Omit<FileTreeProps, "project">) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.path}>
          {node.kind === "folder" ? (
            <Folder node={node} path={path} onOpen={onOpen} />
          ) : (
            <FileButton name={node.name} path={node.path} isOpen={node.path === path} onOpen={onOpen} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Folder({ node, path, onOpen }: { node: FolderNode } & Omit<FileTreeProps, "project">) {
  const isAbove = path.startsWith(`${node.path}/`);
  const [isOpen, setOpen] = useState(isAbove);
  useEffect(() => {
    if (isAbove) setOpen(true);
  }, [isAbove]);
  return (
    <>
      <button type="button" className="panel-entry" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="forward" size={12} />
        <span>{node.name}</span>
      </button>
      {isOpen && <Nodes nodes={node.nodes} path={path} onOpen={onOpen} />}
    </>
  );
}

interface FileButtonProps {
  name: string;
  path: string;
  isOpen: boolean;
  onOpen: (path: string) => void;
}

function FileButton({ name, path, isOpen, onOpen }: FileButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className="panel-entry tree-file"
      title={path}
      aria-current={isOpen || undefined}
      onClick={() => onOpen(path)}
    >
      <span>{name}</span>
    </button>
  );
}

/** Load the paths of a project's files; null while they are loading. */
function usePaths(project: string): { paths: string[] | null; problem: Problem | null } {
  const [state, set] = useState<{ paths: string[] | null; problem: Problem | null }>({ paths: null, problem: null });
  useEffect(() => {
    const leaving = new AbortController();
    server.GET("/api/projects/{project}/paths", { params: { path: { project } }, signal: leaving.signal }).then(
      (answer) => set({ paths: unwrap(answer).paths, problem: null }),
      (error: unknown) => {
        if (!leaving.signal.aborted) set({ paths: null, problem: toProblem(error) });
      },
    );
    return () => leaving.abort();
  }, [project]);
  return state;
}
