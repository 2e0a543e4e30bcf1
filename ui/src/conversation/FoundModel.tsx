import { useEffect, useId, useState } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { Icon } from "../components/Icon";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { adoptModel, foundServers, useLacksModel } from "../settings/foundServers";
import { type FoundServer, nameModel } from "../settings/modelSetupApi";
import { useStore } from "../state/store";

/** A line for each model server on this machine, while no model is set up; one press uses its model. */
export function FoundModel({ onUsed }: { onUsed: () => void }) {
  return useLacksModel() ? <FoundLines onUsed={onUsed} /> : null;
}

function FoundLines({ onUsed }: { onUsed: () => void }) {
  const servers = useStore(foundServers);
  useEffect(foundServers.follow, []);
  return servers.map((each) => <FoundLine key={each.provider} server={each} onUsed={onUsed} />);
}

function FoundLine({ server, onUsed }: { server: FoundServer; onUsed: () => void }) {
  const t = useTranslate();
  const id = useId();
  const action = useAction();
  const [chosen, choose] = useState("");
  const { title, models } = server;
  const [first = ""] = models;
  const runs = t("conversation.begin.runs", { server: title });
  const use = async () => {
    if (await action.run(() => adoptModel(t, chosen || first))) onUsed();
  };
  return (
    <div className="beginning-model">
      <Icon name="model" size={16} />
      {models.length > 1 ? (
        <>
          <label id={id} htmlFor={`${id}model`}>
            {runs}
          </label>
          <select
            id={`${id}model`}
            className="field"
            value={chosen || first}
            onChange={(event) => choose(event.target.value)}
          >
            {models.map((name) => (
              <option key={name} value={name}>
                {nameModel(name)}
              </option>
            ))}
          </select>
        </>
      ) : (
        <p id={id}>
          {runs} {nameModel(first)}
        </p>
      )}
      <button
        type="button"
        className="button"
        aria-describedby={id}
        disabled={action.isBusy}
        onClick={() => void use()}
      >
        {t("settings.setup.use")}
      </button>
      {action.problem && <ErrorMessage fault={action.problem} />}
    </div>
  );
}
