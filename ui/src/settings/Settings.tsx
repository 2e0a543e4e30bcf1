import { useMay } from "../account/accountStore";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { useTranslate } from "../i18n";
import { AboutYou } from "./AboutYou";
import { Appearance } from "./Appearance";
import { JudgeSection } from "./JudgeSection";
import { ModelSetup } from "./ModelSetup";
import { Models } from "./Models";
import { Personas } from "./Personas";
import { ServerInfo } from "./ServerInfo";
import { loadSettings } from "./settingsApi";
import { UsageSection } from "./UsageSection";
import { useRequest } from "./useRequest";
import { WebSearch } from "./WebSearch";
import "../styles/fields.css";
import "./settings.css";

/** The settings page. */
export default function Settings() {
  const t = useTranslate();
  const loaded = useRequest(loadSettings);
  const mayChange = useMay("write");
  const maySet = useMay("admin"); // the models of the server
  useDocumentTitle(t("shell.settings"));
  return (
    <main className="main room" id="main">
      <div className="room-inside settings">
        <header className="room-head">
          <h1>{t("shell.settings")}</h1>
        </header>
        {maySet && <ModelSetup onChanged={loaded.retry} />}
        <Models loaded={loaded} />
        <JudgeSection loaded={loaded} />
        {mayChange && <WebSearch loaded={loaded} />}
        {mayChange && <Personas />}
        <AboutYou />
        <Appearance />
        <UsageSection />
        <ServerInfo loaded={loaded} />
      </div>
    </main>
  );
}
