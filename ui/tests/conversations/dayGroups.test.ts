import fc from "fast-check";
import { expect, test } from "vitest";
import { groupByDay } from "../../src/conversations/dayGroups";

const NOW = new Date(2026, 10, 15, 9).getTime();
const on = (day: number, hour = 8) => ({ updated: new Date(2026, 10, day, hour).getTime() / 1000 });

test("conversations stand under today, yesterday, this week and earlier", () => {
  const groups = groupByDay([on(15), on(14, 23), on(13), on(9), on(8)], NOW);
  expect(groups.map(({ label, members }) => [label, members.length])).toEqual([
    ["conversations.today", 1],
    ["conversations.yesterday", 1],
    ["conversations.week", 2],
    ["conversations.earlier", 1],
  ]);
});

test("no conversation is lost or told twice, whatever its time, even in the future", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ updated: fc.double({ min: 0, max: 4e9, noNaN: true }) })), (all) => {
      const told = groupByDay(all, NOW).flatMap((each) => each.members);
      expect(new Set(told)).toEqual(new Set(all));
      expect(told).toHaveLength(all.length);
    }),
  );
});
