import type { ReactNode } from "react";
import type { DisplayedVerdict } from "./verdicts";

/** One shape for each verdict, on a grid of 10. They differ without colour, and in forced colours too. */
const SHAPES: Record<DisplayedVerdict, ReactNode> = {
  verified: <circle cx="5" cy="5" r="3.5" fill="currentColor" />,
  partial: (
    <>
      <circle cx="5" cy="5" r="3.5" />
      <path d="M5 1.5a3.5 3.5 0 0 0 0 7z" fill="currentColor" />
    </>
  ),
  contradicted: <path d="M5 1l4.5 8h-9z" fill="currentColor" strokeLinejoin="round" />,
  unsupported: <circle cx="5" cy="5" r="3.5" strokeDasharray="0.1 2.1" strokeLinecap="round" />,
  unchecked: <circle cx="5" cy="5" r="3.5" />,
  checking: (
    <>
      <circle cx="5" cy="5" r="3.5" className="sign-ring" />
      <circle cx="5" cy="5" r="0.6" fill="currentColor" />
    </>
  ),
};

/** The icon of a verdict, in the colour of the text around it. The text beside it says what it means. */
export function VerdictIcon({ form }: { form: DisplayedVerdict }) {
  return (
    <svg className="sign" data-form={form} viewBox="0 0 10 10" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.4">
        {SHAPES[form]}
      </g>
    </svg>
  );
}
