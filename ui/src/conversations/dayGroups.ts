import type { MessageKey } from "../i18n";
import { countDaysAgo } from "../text/formatAmounts";

/** A period with its items, in their order. */
export interface Group<T> {
  label: MessageKey;
  members: T[];
}

const PERIODS: { label: MessageKey; days: number }[] = [
  { label: "conversations.today", days: 0 },
  { label: "conversations.yesterday", days: 1 },
  { label: "conversations.week", days: 6 },
  { label: "conversations.earlier", days: Number.POSITIVE_INFINITY },
];

/** Group items by when they last changed: today, yesterday, this week, earlier. Empty periods are left out. */
export function groupByDay<T extends { updated: number }>(things: T[], now = Date.now()): Group<T>[] {
  const groups = PERIODS.map(({ label, days }) => ({ label, days, members: [] as T[] }));
  for (const thing of things) {
    const days = countDaysAgo(thing.updated, now);
    groups.find((each) => days <= each.days)?.members.push(thing);
  }
  return groups.filter((each) => each.members.length).map(({ label, members }) => ({ label, members }));
}
