import type { ReactNode } from "react";
import type { Fault } from "../api/shapes";
import { isKey, type Say, useWords } from "../words";
import { Icon } from "./Icon";

/** What went wrong in the reader's language where the code is known, else in the server's words. */
export function said(say: Say, fault: Fault): { message: string; hint: string } {
  const message = `errors.${fault.code}`;
  const hint = `errors.${fault.code}.hint`;
  if (!isKey(message)) return { message: fault.message || say("errors.unknown"), hint: fault.hint };
  return { message: say(message, { message: fault.message }), hint: isKey(hint) ? say(hint) : fault.hint };
}

/** An error where it happened: what, and what to do. */
export function Trouble({ fault, children }: { fault: Fault; children?: ReactNode }) {
  const { message, hint } = said(useWords(), fault);
  return (
    <div className="trouble" role="alert">
      <Icon name="bad" />
      <div>
        <p>{message}</p>
        {hint && <p className="soft">{hint}</p>}
        {children}
      </div>
    </div>
  );
}
