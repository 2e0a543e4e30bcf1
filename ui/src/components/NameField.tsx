import { type KeyboardEvent, useRef, useState } from "react";

interface NameFieldProps {
  name: string;
  label: string;
  /** Called once: with the new name, or with null if the old one stays. */
  onDone: (name: string | null) => void;
}

/** A field for renaming. Enter or leaving the field saves the name, Escape keeps the old one. */
export function NameField({ name, label, onDone }: NameFieldProps) {
  const [given, setGiven] = useState(name);
  // Removing the field blurs it, which would end it a second time.
  const isOver = useRef(false);
  const end = (isWanted: boolean) => {
    if (isOver.current) return;
    isOver.current = true;
    const trimmed = given.trim();
    onDone(isWanted && trimmed && trimmed !== name ? trimmed : null);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) end(true);
    if (event.key === "Escape") end(false);
  };
  return (
    <input
      className="field"
      // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
      autoFocus
      maxLength={200}
      aria-label={label}
      value={given}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setGiven(event.target.value)}
      onKeyDown={pressed}
      onBlur={() => end(true)}
    />
  );
}
