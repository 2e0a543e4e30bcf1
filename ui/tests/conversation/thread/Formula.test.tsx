import { act } from "react";
import { expect, test, vi } from "vitest";
import { AnswerText } from "../../../src/conversation/thread/AnswerText";
import { told, turnOf } from "../fixtures";
import { drawn } from "../render";

vi.mock("../../../src/conversation/thread/formulaDrawing", () => ({
  drawFormula: (tex: string, isDisplay: boolean, element: HTMLElement) => {
    element.textContent = `${isDisplay ? "block" : "inline"} ${tex}`;
    return !tex.includes("broken");
  },
}));

test("a formula is drawn inside its sentence, and the chip follows; a broken one is shown as it is", async () => {
  const turn = turnOf(
    told([
      ["", "The energy is $E = mc^2$ at rest.", [1]],
      [" ", "It costs $5 or $10.", [1]],
      ["\n\n", "$$\\broken_1$$", [1]],
    ]),
  );
  const { page, leave } = drawn(<AnswerText turn={turn} />);
  await act(() => import("../../../src/conversation/thread/formulaDrawing"));
  await act(() => new Promise((done) => setTimeout(done)));
  const [first, second, third] = page.querySelectorAll(".sentence");
  expect(first?.querySelector(".formula")?.textContent).toBe("inline E = mc^2");
  expect(first?.textContent).toBe("The energy is inline E = mc^2 at rest.1");
  expect(second?.textContent).toBe("It costs $5 or $10.1");
  expect(third?.querySelector("code")?.textContent).toBe("\\broken_1");
  expect(page.querySelectorAll(".formula[data-display]")).toHaveLength(1);
  leave();
});
