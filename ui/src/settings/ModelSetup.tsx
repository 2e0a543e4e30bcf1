import { useCallback, useState } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { showToast } from "../components/toastStore";
import { useAction } from "../components/useAction";
import { refreshChoices } from "../conversation/composer/modelChoices";
import { useTranslate } from "../i18n";
import { AddedModels } from "./AddedModels";
import { LocalServers } from "./LocalServers";
import { EXTRACTIVE } from "./modelNames";
import { loadSetup, nameModel, removeModel, removeProvider, type SetupState, setRole } from "./modelSetupApi";
import { ProviderForm } from "./ProviderForm";
import { Loaded, Section } from "./Section";
import { useModelTrial } from "./useModelTrial";
import { useRequest } from "./useRequest";

/** The language models of the server: the one that answers, those found on this machine, and those of providers. */
export function ModelSetup({ onChanged }: { onChanged: () => void }) {
  const t = useTranslate();
  const loaded = useRequest(loadSetup);
  return (
    <Section title={t("settings.setup")} about={t("settings.setup.about")}>
      <Loaded loaded={loaded}>
        {(state) => (
          <SetupFields
            state={state}
            reload={loaded.retry}
            onState={(next) => {
              loaded.set(next);
              onChanged();
            }}
          />
        )}
      </Loaded>
    </Section>
  );
}

interface SetupFieldsProps {
  state: SetupState;
  reload: () => void;
  onState: (state: SetupState) => void;
}

function SetupFields({ state, reload, onState }: SetupFieldsProps) {
  const t = useTranslate();
  const action = useAction();
  const trial = useModelTrial(reload);
  const hasModels = state.models.length > 0 || state.chat.model !== EXTRACTIVE;
  const [isAdding, setAdding] = useState(!hasModels);

  const use = useCallback(
    async (model: string) => {
      const isDone = await action.run(async () => {
        onState(await setRole("chat", model));
        refreshChoices();
      });
      if (!isDone) return;
      setAdding(false);
      showToast(
        model === EXTRACTIVE ? t("settings.setup.used.none") : t("settings.setup.used", { model: nameModel(model) }),
      );
    },
    [action.run, onState, t],
  );
  const forget = async (request: () => Promise<void>) => {
    await action.run(async () => {
      await request();
      refreshChoices();
      reload();
    });
  };
  const stored = state.providers.filter((each) => each.set_in === "page");
  const locked = stored.filter((each) => each.is_locked);

  return (
    <>
      {locked.map((each) => (
        <div key={each.name} className="trouble" role="alert">
          <Icon name="bad" />
          <p>{t("settings.setup.locked", { provider: each.title })}</p>
        </div>
      ))}
      {hasModels && (
        <AddedModels
          state={state}
          isBusy={action.isBusy}
          trial={trial}
          onUse={(model) => void use(model)}
          onRemove={(model) => void forget(() => removeModel(model))}
        />
      )}
      {action.problem && <ErrorMessage fault={action.problem} />}
      {isAdding ? (
        <div className="model-adding">
          <h3>{t("settings.setup.here")}</h3>
          <LocalServers isBusy={action.isBusy} onUse={(model) => void use(model)} />
          <h3>{t("settings.setup.elsewhere")}</h3>
          <ProviderForm
            providers={state.providers}
            isBusy={action.isBusy}
            onStored={reload}
            onUse={(model) => void use(model)}
          />
        </div>
      ) : (
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <Icon name="add" size={16} />
          {t("settings.setup.add")}
        </button>
      )}
      {stored.length > 0 && (
        <ul className="stored-keys" aria-label={t("settings.setup.keys")}>
          {stored.map((each) => (
            <li key={each.name}>
              <span>
                {each.title}{" "}
                <span className="soft small">
                  {each.has_key ? t("settings.setup.key.stored") : ""} {each.address}
                </span>
              </span>
              <button
                type="button"
                className="button"
                disabled={action.isBusy}
                aria-label={t("settings.setup.forget.named", { provider: each.title })}
                onClick={() => void forget(() => removeProvider(each.name))}
              >
                {t("settings.setup.forget")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
