/** The files of a project as a tree of folders. */

export interface FileNode {
  kind: "file";
  name: string;
  path: string;
}

/** A folder. Its folders come before its files, both in the order of their names. */
export interface FolderNode {
  kind: "folder";
  name: string;
  path: string;
  nodes: TreeNode[];
}

export type TreeNode = FileNode | FolderNode;

/** Build the tree of these paths. A chain of folders with nothing else in them is one node: "src/app". */
export function buildTree(paths: readonly string[]): TreeNode[] {
  const root: FolderNode = { kind: "folder", name: "", path: "", nodes: [] };
  const folders = new Map([["", root]]);
  const getFolder = (path: string): FolderNode => {
    const known = folders.get(path);
    if (known) return known;
    const cut = path.lastIndexOf("/");
    const made: FolderNode = { kind: "folder", name: path.slice(cut + 1), path, nodes: [] };
    folders.set(path, made);
    getFolder(path.slice(0, Math.max(0, cut))).nodes.push(made);
    return made;
  };
  for (const path of paths) {
    const cut = path.lastIndexOf("/");
    getFolder(path.slice(0, Math.max(0, cut))).nodes.push({ kind: "file", name: path.slice(cut + 1), path });
  }
  return arrangeNodes(root.nodes);
}

const ORDER = new Intl.Collator("en", { numeric: true });

function arrangeNodes(nodes: readonly TreeNode[]): TreeNode[] {
  const rank = ({ kind }: TreeNode) => (kind === "folder" ? 0 : 1);
  return nodes.map(joinChain).sort((a, b) => rank(a) - rank(b) || ORDER.compare(a.name, b.name));
}

/** Join a folder with the only folder in it, and arrange what is inside. */
function joinChain(node: TreeNode): TreeNode {
  if (node.kind === "file") return node;
  const [only] = node.nodes;
  if (node.nodes.length === 1 && only?.kind === "folder")
    return joinChain({ ...only, name: `${node.name}/${only.name}` });
  return { ...node, nodes: arrangeNodes(node.nodes) };
}

/** Find the paths that contain all these words, those with the words in the file's name first. */
export function filterPaths(paths: readonly string[], words: string): string[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => wanted.every((word) => text.toLowerCase().includes(word));
  const found = paths.filter(has);
  const isNamed = (path: string) => has(path.slice(path.lastIndexOf("/") + 1));
  return [...found.filter(isNamed), ...found.filter((path) => !isNamed(path))];
}
