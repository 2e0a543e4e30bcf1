import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const PDFJS = "node_modules/pdfjs-dist";

/** Copy the files that pdf.js fetches while it draws: character maps, standard fonts, decoders. */
function copyPdfjsData(): Plugin {
  return {
    name: "pdfjs-data",
    apply: "build",
    generateBundle() {
      for (const folder of ["cmaps", "standard_fonts", "wasm", "iccs"]) {
        for (const name of readdirSync(join(PDFJS, folder))) {
          const source = readFileSync(join(PDFJS, folder, name));
          this.emitFile({ type: "asset", fileName: `pdfjs/${folder}/${name}`, source });
        }
      }
    },
  };
}

/** Leave the older font formats out of KaTeX's style sheet: every browser that runs the page reads WOFF2. */
function keepWoff2(): Plugin {
  return {
    name: "keep-woff2",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/katex.min.css")) return null;
      return code.replace(/,url\(fonts\/[\w-]+\.(?:woff|ttf)\) format\("\w+"\)/g, "");
    },
  };
}

/** Write a compressed copy beside each file that compresses well; the server sends it to browsers that accept it. */
function compressFiles(): Plugin {
  const extensions = new Set([".js", ".mjs", ".css", ".html", ".svg", ".wasm"]);
  return {
    name: "compress-files",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const name of Object.keys(bundle)) {
        if (extensions.has(extname(name))) {
          writeFileSync(join(dir, `${name}.gz`), gzipSync(readFileSync(join(dir, name)), { level: 9 }));
        }
      }
    },
  };
}

export default defineConfig({
  plugins: [react(), keepWoff2(), copyPdfjsData(), compressFiles()],
  build: {
    outDir: "../src/pincite/server/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    manifest: "manifest.json",
    license: { fileName: "licenses.md" },
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/pdfjs": "http://127.0.0.1:8000" } },
  test: {
    pool: "vmThreads",
    environment: "happy-dom",
    include: ["tests/**/*.test.{ts,tsx}"],
    sequence: { shuffle: true },
    // Only a test that hangs fails by its time: a busy machine may be slow.
    testTimeout: 120_000,
  },
});
