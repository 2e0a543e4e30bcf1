import { daysAgo } from "../library/amounts";
import type { Key } from "../words";

/** A stretch of days with the things of it, in their order. */
export interface Group<T> {
  label: Key;
  members: T[];
}

const STRETCHES: { label: Key; days: number }[] = [
  { label: "conversations.today", days: 0 },
  { label: "conversations.yesterday", days: 1 },
  { label: "conversations.week", days: 6 },
  { label: "conversations.earlier", days: Number.POSITIVE_INFINITY },
];

/** Things by when they were last touched: today, yesterday, this week, earlier; empty stretches are left out. */
export function grouped<T extends { updated: number }>(things: T[], now = Date.now()): Group<T>[] {
  const groups = STRETCHES.map(({ label, days }) => ({ label, days, members: [] as T[] }));
  for (const thing of things) {
    const days = daysAgo(thing.updated, now);
    groups.find((each) => days <= each.days)?.members.push(thing);
  }
  return groups.filter((each) => each.members.length).map(({ label, members }) => ({ label, members }));
}
