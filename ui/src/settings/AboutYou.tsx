import { useId } from "react";
import { useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { preferencesStore } from "./preferences";
import { Section, Switch } from "./Section";

/** Location and About Me. They are kept in this browser and sent with a question only when switched on. */
export function AboutYou() {
  const t = useTranslate();
  const id = useId();
  const { location, sendLocation, aboutMe, sendAboutMe } = useStore(preferencesStore);
  const change = (to: Partial<ReturnType<typeof preferencesStore.get>>) =>
    preferencesStore.set((now) => ({ ...now, ...to }));

  return (
    <Section title={t("settings.you")} about={t("settings.you.about")}>
      <div className="setting">
        <label className="label" htmlFor={`${id}location`}>
          {t("settings.location")}
        </label>
        <input
          id={`${id}location`}
          className="field"
          maxLength={200}
          autoComplete="off"
          placeholder={t("settings.location.example")}
          value={location}
          onChange={(event) => change({ location: event.target.value })}
        />
        <Switch
          label={t("settings.location.send")}
          about={t("settings.location.about")}
          isOn={sendLocation}
          onChange={(isOn) => change({ sendLocation: isOn })}
        />
      </div>
      <div className="setting">
        <label className="label" htmlFor={`${id}me`}>
          {t("settings.me")}
        </label>
        <textarea
          id={`${id}me`}
          className="field"
          rows={3}
          maxLength={2000}
          placeholder={t("settings.me.example")}
          value={aboutMe}
          onChange={(event) => change({ aboutMe: event.target.value })}
        />
        <Switch
          label={t("settings.me.send")}
          about={t("settings.me.about")}
          isOn={sendAboutMe}
          onChange={(isOn) => change({ sendAboutMe: isOn })}
        />
      </div>
    </Section>
  );
}
