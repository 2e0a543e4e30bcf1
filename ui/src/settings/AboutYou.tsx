import { useId } from "react";
import { useStore } from "../store";
import { useWords } from "../words";
import { preferences } from "./preferences";
import { Section, Switch } from "./Section";

/** Location and About Me: kept in this browser, sent with a question only when switched on. */
export function AboutYou() {
  const say = useWords();
  const id = useId();
  const { location, sendLocation, aboutMe, sendAboutMe } = useStore(preferences);
  const change = (to: Partial<ReturnType<typeof preferences.get>>) => preferences.set((now) => ({ ...now, ...to }));

  return (
    <Section title={say("settings.you")} about={say("settings.you.about")}>
      <div className="setting">
        <label className="label" htmlFor={`${id}location`}>
          {say("settings.location")}
        </label>
        <input
          id={`${id}location`}
          className="field"
          maxLength={200}
          autoComplete="off"
          placeholder={say("settings.location.example")}
          value={location}
          onChange={(event) => change({ location: event.target.value })}
        />
        <Switch
          label={say("settings.location.send")}
          about={say("settings.location.about")}
          isOn={sendLocation}
          onChange={(isOn) => change({ sendLocation: isOn })}
        />
      </div>
      <div className="setting">
        <label className="label" htmlFor={`${id}me`}>
          {say("settings.me")}
        </label>
        <textarea
          id={`${id}me`}
          className="field"
          rows={3}
          maxLength={2000}
          placeholder={say("settings.me.example")}
          value={aboutMe}
          onChange={(event) => change({ aboutMe: event.target.value })}
        />
        <Switch
          label={say("settings.me.send")}
          about={say("settings.me.about")}
          isOn={sendAboutMe}
          onChange={(isOn) => change({ sendAboutMe: isOn })}
        />
      </div>
    </Section>
  );
}
