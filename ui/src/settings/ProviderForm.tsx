import { type FormEvent, useId, useRef, useState } from "react";
import type { Problem } from "../api/problem";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { ModelPicker } from "./ModelPicker";
import { listModels, type SetupProvider, saveProvider } from "./modelSetupApi";

const OTHER = " other";

/** Reasons for which the form has words of its own. */
const IN_FORM: Record<string, string> = { refused: "key_refused", unreachable: "provider_away" };

interface ProviderFormProps {
  providers: SetupProvider[];
  isBusy: boolean;
  /** Called when a provider was stored. */
  onStored: () => void;
  onUse: (model: string) => void;
}

/** Choose a provider, paste its key, and choose one of its models. */
export function ProviderForm({ providers, isBusy, onStored, onUse }: ProviderFormProps) {
  const t = useTranslate();
  const id = useId();
  const key = useRef<HTMLInputElement>(null);
  const action = useAction();
  const [chosen, choose] = useState("");
  const [url, setUrl] = useState("");
  const [listed, setListed] = useState<string[] | null>(null);
  const hosted = providers.filter((each) => each.needs_key || each.set_in);
  const provider = hosted.find((each) => each.name === chosen);
  const isOther = chosen === OTHER;
  const isReady = provider?.has_key === true && !provider.is_locked;
  const isFixed = provider?.set_in === "file";

  const select = (name: string) => {
    choose(name);
    setUrl("");
    setListed(null);
  };
  const list = (name: string) => action.run(async () => setListed(await listModels(name)));
  const store = async (plain: boolean) => {
    // The key is never in the state of the page: it is read from its field, sent, and gone.
    const given = key.current?.value.trim() || null;
    const name = isOther ? nameServer(url) : chosen;
    const isStored = await action.run(async () => {
      setListed(await saveProvider({ name, key: given, url: isOther ? url : "", plain }));
    });
    if (!isStored) return;
    if (key.current) key.current.value = "";
    onStored();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isTyped = Boolean(key.current?.value.trim());
    if (!isOther && (isFixed || (isReady && !isTyped))) void list(chosen);
    else void store(false);
  };

  return (
    <div className="provider-form">
      <form className="setting" onSubmit={submit}>
        <label className="label" htmlFor={`${id}provider`}>
          {t("settings.setup.provider")}
        </label>
        <select id={`${id}provider`} className="field" value={chosen} onChange={({ target }) => select(target.value)}>
          <option value="" disabled>
            {t("settings.setup.provider.choose")}
          </option>
          {hosted.map((each) => (
            <option key={each.name} value={each.name}>
              {each.title}
            </option>
          ))}
          <option value={OTHER}>{t("settings.setup.provider.other")}</option>
        </select>
        {isOther && (
          <>
            <label className="label" htmlFor={`${id}url`}>
              {t("settings.setup.address")}
            </label>
            <input
              id={`${id}url`}
              className="field"
              inputMode="url"
              spellCheck={false}
              autoComplete="off"
              placeholder={t("settings.setup.address.example")}
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          </>
        )}
        {chosen && !isFixed && (
          <>
            <label className="label" htmlFor={`${id}key`}>
              {t("settings.setup.key")}
            </label>
            <input
              ref={key}
              id={`${id}key`}
              key={chosen}
              type="password"
              className="field"
              spellCheck={false}
              autoComplete="off"
              placeholder={isReady ? t("settings.setup.key.stored") : isOther ? t("settings.setup.key.optional") : ""}
              aria-describedby={`${id}about`}
            />
            <p id={`${id}about`} className="soft small">
              {provider?.is_locked ? t("settings.setup.key.locked") : t("settings.setup.key.about")}
            </p>
          </>
        )}
        {isFixed && <p className="soft small">{t("settings.setup.fixed")}</p>}
        {chosen && (
          <div>
            <button type="submit" className="button" disabled={action.isBusy || (isOther && !url.trim())}>
              {t(action.isBusy ? "settings.setup.asking" : "settings.setup.list")}
            </button>
          </div>
        )}
        {action.problem && (
          <ProviderProblem
            problem={action.problem}
            provider={isOther ? "" : (provider?.title ?? chosen)}
            onAllow={() => void store(true)}
          />
        )}
      </form>
      {listed && (
        <ModelPicker
          key={chosen}
          label={t(listed.length ? "settings.setup.model" : "settings.setup.model.typed")}
          models={listed}
          provider={isOther ? nameServer(url) : chosen}
          isBusy={isBusy}
          onUse={onUse}
        />
      )}
    </div>
  );
}

/** Make a provider's name from the address of a server: small letters, digits and dashes. */
export function nameServer(url: string): string {
  const host =
    url
      .trim()
      .replace(/^[a-z]+:\/\//i, "")
      .split(/[/?#]/)[0] ?? "";
  const name = host
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name.slice(0, 40) || "server";
}

/** Why a provider could not be set, in plain words. `provider` is the title of a known one, "" for an address. */
function ProviderProblem({ problem, provider, onAllow }: { problem: Problem; provider: string; onAllow: () => void }) {
  const t = useTranslate();
  const words = problem.code === "model" ? IN_FORM[problem.reason ?? ""] : undefined;
  if (words) {
    const { code, message, hint } = problem;
    const reason = words === "provider_away" && provider ? "provider_unreachable" : words;
    return <ErrorMessage fault={{ code, message, hint, params: { ...problem.params, provider }, reason }} />;
  }
  return (
    <ErrorMessage fault={problem}>
      {problem.reason === "plain_http" && (
        <button type="button" className="button" onClick={onAllow}>
          {t("settings.setup.plain")}
        </button>
      )}
    </ErrorMessage>
  );
}
