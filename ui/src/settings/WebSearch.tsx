import { type FormEvent, useId, useState } from "react";
import { asProblem } from "../api/problem";
import { toast } from "../look/Toasts";
import { said } from "../look/Trouble";
import { useWords } from "../words";
import { keepSearch, type ServerSettings, testSearch } from "./asking";
import type { Loaded } from "./loaded";
import { Ready, Section } from "./Section";
import { Trial, useTrial } from "./Trial";

/** Where the web is searched: the address of a SearXNG, tried and kept. */
export function WebSearch({ loaded }: { loaded: Loaded<ServerSettings> }) {
  const say = useWords();
  return (
    <Section title={say("settings.web")} about={say("settings.web.about")}>
      <Ready loaded={loaded}>{(server) => <Address server={server} onKept={loaded.set} />}</Ready>
    </Section>
  );
}

function Address({ server, onKept }: { server: ServerSettings; onKept: (server: ServerSettings) => void }) {
  const say = useWords();
  const id = useId();
  const kept = server.search_url;
  const [typed, setTyped] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const trial = useTrial();
  const address = typed ?? kept;

  const keep = async (url: string) => {
    setBusy(true);
    try {
      onKept(await keepSearch(url.trim()));
      setTyped(null);
      toast(say("settings.saved"));
    } catch (error) {
      const { message, hint } = said(say, asProblem(error));
      toast(`${message} ${hint}`.trim());
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
        {say("settings.web.address")}
      </label>
      <div className="with-button">
        <input
          id={id}
          className="field"
          inputMode="url"
          spellCheck={false}
          autoComplete="off"
          placeholder={say("settings.web.example")}
          value={address}
          onChange={(event) => {
            setTyped(event.target.value);
            trial.clear();
          }}
        />
        <button
          type="button"
          className="button"
          disabled={!address.trim() || trial.isBusy}
          onClick={() => trial.run(() => testSearch(address.trim()))}
        >
          {say("settings.test")}
        </button>
        <button type="submit" className="button main" disabled={isBusy || address.trim() === kept}>
          {say("settings.save")}
        </button>
      </div>
      <Trial trial={trial} good={({ results = 0 }) => say.count("settings.web.works", results)} />
      <p className="soft small">
        {source === "page" && say("settings.web.page")}
        {source === "file" && say("settings.web.file")}
        {!source && say("settings.web.none")}
        {source === "page" && (
          <>
            {" "}
            <button type="button" className="plain" disabled={isBusy} onClick={() => keep("")}>
              {say("settings.web.forget")}
            </button>
          </>
        )}
      </p>
    </form>
  );
}
