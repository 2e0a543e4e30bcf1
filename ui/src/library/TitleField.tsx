import { toProblem } from "../api/problem";
import { NameField } from "../components/NameField";
import { showToast } from "../components/toastStore";
import { useTranslate } from "../i18n";
import { describeInOneLine, renameDocument } from "./documentActions";

interface TitleFieldProps {
  document: { id: string };
  name: string;
  /** Called with the new title, or with null if the old one stays. */
  onDone: (title: string | null) => void;
}

/** A field for the document's title, which the server keeps. */
export function TitleField({ document, name, onDone }: TitleFieldProps) {
  const t = useTranslate();
  const keep = (title: string | null) => {
    onDone(title);
    if (title)
      renameDocument(document.id, title).catch((error: unknown) => {
        onDone(name);
        showToast(describeInOneLine(t, toProblem(error)));
      });
  };
  return <NameField name={name} label={t("library.title")} onDone={keep} />;
}
