import { useEffect, useRef } from "react";
import { Link, useSearchParams } from "wouter";
import { useDocumentTitle } from "../components/useDocumentTitle";
import { type MessageKey, useTranslate } from "../i18n";
import { AuditTab } from "./AuditTab";
import { GroupsTab } from "./GroupsTab";
import { InvitationsTab } from "./InvitationsTab";
import { PeopleTab } from "./PeopleTab";
import { UsageTab } from "./UsageTab";
import "../styles/fields.css";
import "../settings/settings.css";
import "./people.css";

const TABS = {
  people: { label: "people.tab.people", View: PeopleTab },
  invitations: { label: "people.tab.invitations", View: InvitationsTab },
  groups: { label: "people.tab.groups", View: GroupsTab },
  usage: { label: "people.tab.usage", View: UsageTab },
  audit: { label: "people.tab.audit", View: AuditTab },
} satisfies Record<string, { label: MessageKey; View: () => React.ReactNode }>;

type Tab = keyof typeof TABS;

/** The page of the server's owners: people, invitations, groups, usage and the audit log. */
export default function People() {
  const t = useTranslate();
  const [query] = useSearchParams();
  const tab = readTab(query.get("tab"));
  const { label, View } = TABS[tab];
  const tabs = useRef<HTMLElement>(null);
  useDocumentTitle(`${t(label)} · ${t("shell.people")}`);
  // On a phone the tabs may be wider than the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is at another place
  useEffect(() => {
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [tab]);
  return (
    <main className="main room" id="main">
      <div className="room-inside people">
        <header className="room-head">
          <h1>{t("shell.people")}</h1>
        </header>
        <nav ref={tabs} className="people-tabs" aria-label={t("people.tabs")}>
          {(Object.keys(TABS) as Tab[]).map((each) => (
            <Link
              key={each}
              to={each === "people" ? "/people" : `/people?tab=${each}`}
              aria-current={each === tab ? "page" : undefined}
            >
              {t(TABS[each].label)}
            </Link>
          ))}
        </nav>
        <View />
      </div>
    </main>
  );
}

function readTab(given: string | null): Tab {
  return given !== null && Object.hasOwn(TABS, given) ? (given as Tab) : "people";
}
