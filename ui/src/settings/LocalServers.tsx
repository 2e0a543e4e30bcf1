import { Icon } from "../components/Icon";
import { useTranslate } from "../i18n";
import { ModelPicker } from "./ModelPicker";
import { findServers } from "./modelSetupApi";
import { useRequest } from "./useRequest";

/** The servers of models that were found on this machine, each with its models. */
export function LocalServers({ isBusy, onUse }: { isBusy: boolean; onUse: (model: string) => void }) {
  const t = useTranslate();
  const { value: found, problem, retry } = useRequest(findServers);
  if (problem) return null;
  if (found === null) {
    return (
      <p className="soft small" role="status">
        <span className="spinner" /> {t("settings.setup.looking")}
      </p>
    );
  }
  if (!found.length) {
    return (
      <p className="soft small">
        {t("settings.setup.nobody")}{" "}
        <button type="button" className="plain" onClick={retry}>
          {t("settings.setup.lookAgain")}
        </button>
      </p>
    );
  }
  return (
    <ul className="local-servers" aria-label={t("settings.setup.found")}>
      {found.map((server) => (
        <li key={server.provider}>
          <p className="local-server">
            <Icon name="check" size={16} />
            <span>
              {t("settings.setup.runs", { server: server.title })} <span className="soft small">{server.address}</span>
            </span>
          </p>
          {server.models.length ? (
            <ModelPicker
              label={t("settings.setup.modelOf", { server: server.title })}
              models={server.models}
              provider={server.provider}
              isBusy={isBusy}
              onUse={onUse}
            />
          ) : (
            <p className="soft small">{t("settings.setup.empty")}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
