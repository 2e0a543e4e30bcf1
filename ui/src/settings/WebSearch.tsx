import { type FormEvent, useId, useState } from "react";
import { useMay } from "../account/accountStore";
import { toProblem } from "../api/problem";
import { describeError } from "../components/ErrorMessage";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { ConnectionTest, useConnectionTest } from "./ConnectionTest";
import { Loaded, Section } from "./Section";
import { type ServerSettings, saveSearchUrl, testSearch } from "./settingsApi";
import type { Request } from "./useRequest";

/** The address of the search engine (SearXNG), with buttons to test and save it. */
export function WebSearch({ loaded }: { loaded: Request<ServerSettings> }) {
  const t = useTranslate();
  return (
    <Section title={t("settings.web")} about={t("settings.web.about")}>
      <Loaded loaded={loaded}>{(server) => <SearchUrlForm server={server} onKept={loaded.set} />}</Loaded>
    </Section>
  );
}

function SearchUrlForm({ server, onKept }: { server: ServerSettings; onKept: (server: ServerSettings) => void }) {
  const t = useTranslate();
  const id = useId();
  const kept = server.search_url;
  const [typed, setTyped] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const trial = useConnectionTest();
  const mayChange = useMay("admin"); // the server sends requests to this address
  const address = typed ?? kept;

  const keep = async (url: string) => {
    setBusy(true);
    try {
      onKept(await saveSearchUrl(url.trim()));
      setTyped(null);
      showToast(t("settings.saved"));
    } catch (error) {
      const { message, hint } = describeError(t, toProblem(error));
      showToast(`${message} ${hint}`.trim());
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void keep(address);
  };
  const source = server.search_url_from;

  return (
    <form className="setting" onSubmit={submit}>
      <label className="label" htmlFor={id}>
        {t("settings.web.address")}
      </label>
      <div className="with-button">
        <input
          id={id}
          className="field"
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          placeholder={t("settings.web.example")}
          value={address}
          readOnly={!mayChange}
          onChange={(event) => {
            setTyped(event.target.value);
            trial.clear();
          }}
        />
        {mayChange && (
          <button
            type="button"
            className="button"
            disabled={!address.trim() || trial.isBusy}
            onClick={() => trial.run(() => testSearch(address.trim()))}
          >
            {t("settings.test")}
          </button>
        )}
        {mayChange && (
          <button type="submit" className="button main" disabled={isBusy || address.trim() === kept}>
            {t("settings.save")}
          </button>
        )}
      </div>
      <ConnectionTest trial={trial} good={({ results = 0 }) => t.count("settings.web.works", results)} />
      <p className="soft small">
        {source === "page" && t("settings.web.page")}
        {source === "file" && t("settings.web.file")}
        {!source && t("settings.web.none")}
        {source === "page" && mayChange && (
          <>
            {" "}
            <button type="button" className="plain" disabled={isBusy} onClick={() => keep("")}>
              {t("settings.web.forget")}
            </button>
          </>
        )}
      </p>
    </form>
  );
}
