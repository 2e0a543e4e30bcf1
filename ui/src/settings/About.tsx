import { useWords } from "../words";
import type { ServerSettings } from "./asking";
import type { Loaded } from "./loaded";
import { Ready, Section } from "./Section";

/** What runs here. */
export function About({ loaded }: { loaded: Loaded<ServerSettings> }) {
  const say = useWords();
  return (
    <Section title={say("settings.about")}>
      <Ready loaded={loaded}>
        {(server) => (
          <>
            <dl className="facts">
              {[
                [say("settings.version"), server.version],
                [say("settings.embedding"), server.embedding_model || server.embedding_provider],
                [say("settings.reranker"), server.reranks ? say("settings.on") : say("settings.off")],
                [say("settings.ocr"), server.ocr || say("settings.off")],
                [say("settings.largest"), say("settings.megabytes", { n: server.max_file_mb })],
              ].map(([label, value]) => (
                <div key={label}>
                  <dt className="soft">{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <p>
              <a href="/docs" target="_blank" rel="noopener">
                {say("settings.docs")}
              </a>
            </p>
          </>
        )}
      </Ready>
    </Section>
  );
}
