import { useId } from "react";
import { ErrorMessage } from "../components/ErrorMessage";
import { useAction } from "../components/useAction";
import { useTranslate } from "../i18n";
import { loadSetup, setRole } from "./modelSetupApi";
import { useRequest } from "./useRequest";

/** The choice of the model that judges on this server: the one that answers, another one, or none. */
export function JudgeChoice({ onChanged }: { onChanged: () => void }) {
  const t = useTranslate();
  const id = useId();
  const action = useAction();
  const { value: state, set } = useRequest(loadSetup);
  if (!state) return null;
  const setting = state.judge.setting || "model";
  const names = state.models.map((each) => each.name);
  if (setting !== "model" && setting !== "off" && !names.includes(setting)) names.push(setting);
  const choose = (model: string) =>
    action.run(async () => {
      set(await setRole("judge", model));
      onChanged();
    });
  return (
    <div className="setting">
      <label className="label" htmlFor={id}>
        {t("settings.judge.choose")}
      </label>
      <select
        id={id}
        className="field"
        value={setting}
        disabled={action.isBusy}
        onChange={({ target }) => void choose(target.value)}
      >
        <option value="model">{t("settings.judge.choose.model")}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="off">{t("settings.judge.choose.off")}</option>
      </select>
      {action.problem && <ErrorMessage fault={action.problem} />}
    </div>
  );
}
