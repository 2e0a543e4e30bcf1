import { useTitle } from "../look/titled";
import { useWords } from "../words";
import { About } from "./About";
import { AboutYou } from "./AboutYou";
import { settings } from "./asking";
import { Judge } from "./Judge";
import { Look } from "./Look";
import { useLoaded } from "./loaded";
import { Models } from "./Models";
import { Personas } from "./Personas";
import { UsageSection } from "./UsageSection";
import { WebSearch } from "./WebSearch";
import "../library/fields.css";
import "./settings.css";

/** The settings: how one is answered, by whom, and how the page looks. */
export default function Settings() {
  const say = useWords();
  const loaded = useLoaded(settings);
  useTitle(say("shell.settings"));
  return (
    <main className="main room" id="main">
      <div className="room-inside settings">
        <header className="room-head">
          <h1>{say("shell.settings")}</h1>
        </header>
        <Models loaded={loaded} />
        <Judge loaded={loaded} />
        <WebSearch loaded={loaded} />
        <Personas />
        <AboutYou />
        <Look />
        <UsageSection />
        <About loaded={loaded} />
      </div>
    </main>
  );
}
