import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCardStore, placeCard, type ShownCard } from "../../../src/conversation/citations/cardStore";
import { isAtEnd } from "../../../src/conversation/thread/useFollowEnd";
import { told, turnOf } from "../fixtures";

const cardStore = createCardStore();

function card(n: number): ShownCard {
  const turn = turnOf(told([["", "One.", [1, 2]]]));
  const sentence = turn.sentences[0];
  if (!sentence) throw new Error("No sentence.");
  return { turn, sentence, index: 0, n, citation: null, chip: document.createElement("button") };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cardStore.hide();
  vi.useRealTimers();
});

test("a card is shown after a moment, not to a pointer in passing", () => {
  cardStore.showSoon(card(1));
  vi.advanceTimersByTime(149);
  expect(cardStore.get()).toBeNull();
  vi.advanceTimersByTime(1);
  expect(cardStore.get()?.n).toBe(1);
  cardStore.showSoon(card(2));
  cardStore.hideSoon();
  vi.advanceTimersByTime(500);
  expect(cardStore.get()).toBeNull();
});

test("no card comes over a dialog", () => {
  const dialog = document.createElement("dialog");
  dialog.open = true;
  cardStore.showSoon(card(1));
  document.body.append(dialog);
  vi.advanceTimersByTime(500);
  expect(cardStore.get()).toBeNull();
  dialog.remove();
  cardStore.showSoon(card(1));
  vi.advanceTimersByTime(500);
  expect(cardStore.get()?.n).toBe(1);
});

test("a pointer that goes onto the card keeps it", () => {
  cardStore.showSoon(card(1));
  vi.advanceTimersByTime(150);
  cardStore.hideSoon();
  cardStore.keepOpen();
  vi.advanceTimersByTime(1000);
  expect(cardStore.get()?.n).toBe(1);
});

test("a card is within the window and covers no line of the sentence, where there is room for that", () => {
  const box = fc.record({
    left: fc.nat(1300),
    top: fc.nat(700),
    wide: fc.nat(600),
    high: fc.integer({ min: 16, max: 200 }),
  });
  fc.assert(
    fc.property(box, fc.nat(240), ({ left, top, wide, high }, height) => {
      const window = { width: 1360, height: 800 };
      const line = { left, top, right: left + wide, bottom: top + high };
      const chip = { left: line.right, top: line.bottom - 16, right: line.right + 20, bottom: line.bottom };
      const size = { width: 400, height };
      const made = placeCard(chip, [line], size, window);
      const shown = Math.min(height, Math.max(0, made.height));
      expect(made.left).toBeGreaterThanOrEqual(8);
      expect(made.left + size.width).toBeLessThanOrEqual(window.width - 8);
      expect(made.top >= line.bottom || made.top + shown <= line.top).toBe(true);
      const hasRoom = line.bottom + height + 16 <= window.height || line.top - height - 16 >= 0;
      if (hasRoom) expect(made.top >= 8 && made.top + height <= window.height - 8).toBe(true);
    }),
  );
});

test("a card leaves the next mark free, whether that is beside, below or above it", () => {
  const window = { width: 1360, height: 800 };
  const position = fc.record({ left: fc.integer({ min: 300, max: 900 }), top: fc.integer({ min: 60, max: 700 }) });
  const step = fc.record({ right: fc.integer({ min: -600, max: 400 }), down: fc.constantFrom(0, 26, 52, 130) });
  fc.assert(
    fc.property(position, step, fc.integer({ min: 40, max: 300 }), ({ left, top }, { right, down }, height) => {
      const line = { left: 300, top, right: left, bottom: top + 26 };
      const chip = { left, top: top + 4, right: left + 26, bottom: top + 20 };
      const from = down ? left + right : left + 30 + Math.abs(right);
      const next = { left: from, top: chip.top + down, right: from + 26, bottom: chip.bottom + down };
      const size = { width: 400, height };
      const made = placeCard(chip, [line], size, window, next);
      const bottom = made.top + Math.min(height, Math.max(0, made.height));
      const isClear =
        next.left >= made.left + size.width || next.right <= made.left || next.top >= bottom || next.bottom <= made.top;
      expect(isClear).toBe(true);
      expect(made.top >= line.bottom || bottom <= line.top).toBe(true);
      expect(bottom <= window.height - 8).toBe(true);
    }),
  );
});

test("a card that would cover a note under its sentence goes above, if there is room", () => {
  const [size, window] = [
    { width: 400, height: 100 },
    { width: 1360, height: 800 },
  ];
  const at = (top: number) => {
    const line = { left: 300, top, right: 600, bottom: top + 26 };
    return placeCard(line, [line], size, window, null, true).top > top;
  };
  expect(at(400)).toBe(false);
  expect(at(60)).toBe(true);
});

test("a view is at its end when a line or two are left, not more", () => {
  expect(isAtEnd({ scrollTop: 560, scrollHeight: 1000, clientHeight: 400 })).toBe(true);
  expect(isAtEnd({ scrollTop: 500, scrollHeight: 1000, clientHeight: 400 })).toBe(false);
});
