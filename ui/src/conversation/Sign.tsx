import type { ReactNode } from "react";
import type { Form } from "./forms";

/** One shape for each verdict, on a grid of 10: they differ without colour, and in forced colours too. */
const SHAPES: Record<Form, ReactNode> = {
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

/** The shape of a verdict, in the colour of the words around it; what it means is said beside it. */
export function Sign({ form }: { form: Form }) {
  return (
    <svg className="sign" data-form={form} viewBox="0 0 10 10" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.4">
        {SHAPES[form]}
      </g>
    </svg>
  );
}
