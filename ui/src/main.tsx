import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { accountStore } from "./account/accountStore";
import { takeLinkSecrets } from "./account/linkSecret";
import { watchSession } from "./account/sessionWatch";
import { App } from "./app/App";
import "./styles/tokens.css";
import "./styles/base.css";
import "./app/app.css";
import { followTheme } from "./app/theme";

followTheme();
takeLinkSecrets();
void accountStore.start();
watchSession();
// A file that is dropped where nothing takes it would replace the page.
for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
