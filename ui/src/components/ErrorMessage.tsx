import type { ReactNode } from "react";
import type { Fault } from "../api/types";
import { isMessageKey, type Translate, useTranslate } from "../i18n";
import { Icon } from "./Icon";

/**
 * Describe an error in the user's language by its reason, or else its code, if one is known, else in the server's words.
 * A refusal by another server may have words of its own for each HTTP status.
 */
export function describeError(t: Translate, fault: Fault): { message: string; hint: string } {
  const anyModel = t("errors.modelname");
  const values = { model: anyModel, ...fault.params, ...nameField(t, fault), message: fault.message };
  const reason = `errors.${fault.code}.${fault.reason}`;
  const message = [`${reason}.${fault.params?.status}`, reason, `errors.${fault.code}`].find(isMessageKey);
  if (!message) return { message: fault.message || t("errors.unknown"), hint: fault.hint };
  const hint = `${message}.hint`;
  const said = t(message, values).trim();
  return {
    // The name of a model or a file stays as it is.
    message: said.startsWith(anyModel) ? capitalise(said) : said,
    hint: isMessageKey(hint) ? t(hint, values) : fault.hint,
  };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Name the field of a form that the server refused as the form does. */
function nameField(t: Translate, { params }: Fault): { field?: string } {
  if (typeof params?.field !== "string") return {};
  const name = `errors.fieldname.${params.field}`;
  return { field: isMessageKey(name) ? t(name) : t("errors.fieldname") };
}

/** An error message where the error happened: what is wrong, and what to do. */
export function ErrorMessage({ fault, children }: { fault: Fault; children?: ReactNode }) {
  const { message, hint } = describeError(useTranslate(), fault);
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
