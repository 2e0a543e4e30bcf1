import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const PDFJS = "node_modules/pdfjs-dist";

/** What pdf.js fetches while it draws (character maps, standard fonts, decoders), beside the page itself. */
function pdfjsData(): Plugin {
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

export default defineConfig({
  plugins: [react(), pdfjsData()],
  build: {
    outDir: "../src/pincite/server/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    manifest: "manifest.json",
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/pdfjs": "http://127.0.0.1:8000" } },
  test: { environment: "happy-dom", include: ["tests/**/*.test.{ts,tsx}"], sequence: { shuffle: true } },
});
