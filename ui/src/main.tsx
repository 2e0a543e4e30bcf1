import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import "./look/tokens.css";
import "./look/base.css";
import "./shell.css";
import { followTheme } from "./theme";

followTheme();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
