import { useTranslate } from "../i18n";
import { Loaded, Section } from "./Section";
import type { ServerSettings } from "./settingsApi";
import type { Request } from "./useRequest";

/** The version and the models of the server. */
export function ServerInfo({ loaded }: { loaded: Request<ServerSettings> }) {
  const t = useTranslate();
  return (
    <Section title={t("settings.about")}>
      <Loaded loaded={loaded}>
        {(server) => (
          <>
            <dl className="facts">
              {[
                [t("settings.version"), server.version],
                [t("settings.embedding"), server.embedding_model || server.embedding_provider],
                [t("settings.reranker"), server.reranks ? t("settings.on") : t("settings.off")],
                [t("settings.ocr"), server.ocr || t("settings.off")],
                [t("settings.largest"), t("settings.megabytes", { n: server.max_file_mb })],
              ].map(([label, value]) => (
                <div key={label}>
                  <dt className="soft">{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <p>
              <a href="/docs" target="_blank" rel="noopener">
                {t("settings.docs")}
              </a>
            </p>
          </>
        )}
      </Loaded>
    </Section>
  );
}
