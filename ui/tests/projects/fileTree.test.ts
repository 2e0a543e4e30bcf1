import fc from "fast-check";
import { expect, test } from "vitest";
import { buildTree, filterPaths, type TreeNode } from "../../src/projects/fileTree";

function draw(nodes: readonly TreeNode[], depth = 0): string[] {
  return nodes.flatMap((node) => {
    const line = `${"  ".repeat(depth)}${node.name}${node.kind === "folder" ? "/" : ""}`;
    return node.kind === "folder" ? [line, ...draw(node.nodes, depth + 1)] : [line];
  });
}

function listFiles(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => (node.kind === "folder" ? listFiles(node.nodes) : [node.path]));
}

test("folders come first, names in their order, and a chain of folders is one", () => {
  const paths = ["README.md", "src/app/deep/a.py", "src/app/deep/b.py", "docs/10.md", "docs/9.md", "Makefile"];
  expect(draw(buildTree(paths))).toEqual([
    "docs/",
    "  9.md",
    "  10.md",
    "src/app/deep/",
    "  a.py",
    "  b.py",
    "Makefile",
    "README.md",
  ]);
});

test("every file is in the tree once", () => {
  const path = fc.array(fc.constantFrom("a", "b", "c.py", "é"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(path.map((parts) => `${parts.join("/")}/f`)), (paths) => {
      expect(listFiles(buildTree(paths)).toSorted()).toEqual(paths.toSorted());
    }),
  );
});

test("a file is found by the parts of its path, by its own name first", () => {
  const paths = ["app/main.py", "src/app.py", "docs/app/notes.md"];
  expect(filterPaths(paths, "APP")).toEqual(["src/app.py", "app/main.py", "docs/app/notes.md"]);
  expect(filterPaths(paths, "app notes")).toEqual(["docs/app/notes.md"]);
  expect(filterPaths(paths, "nothing")).toEqual([]);
});
