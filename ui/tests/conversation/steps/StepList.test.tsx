import { afterEach, expect, test } from "vitest";
import { StepList } from "../../../src/conversation/steps/StepList";
import { chosenLanguage } from "../../../src/i18n";
import { numbered, told, turnOf } from "../fixtures";
import { drawn } from "../render";

afterEach(() => chosenLanguage.set("system"));

test("a command to the viewer that failed is a step with its own words, in the language of the page", () => {
  const error = {
    code: "misuse",
    reason: "command_pages",
    params: { page: 7 },
    message: "Page 7 cannot be.",
    hint: "",
  };
  const events = numbered(
    [
      { type: "thought", data: { text: "I think.", retracted: 0 } },
      { type: "thought", data: { text: "Not shown: Page 7 cannot be.", retracted: 0, error } },
    ],
    "m1",
    10,
  );
  const turn = turnOf([...told([["", "One."]]).slice(0, 1), ...events]);
  expect(turn.steps).toHaveLength(2);
  chosenLanguage.set("fr");
  const { page, leave } = drawn(<StepList turn={{ ...turn, state: "running", text: "" }} />);
  const line = page.querySelector(".step[data-status=error]");
  expect(line?.textContent).toContain("Non affiché dans la source\u00a0: La page 7 ne peut pas être ouverte");
  expect(page.textContent).not.toContain("cannot be");
  leave();
});
