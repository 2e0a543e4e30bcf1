import { type KeyboardEvent, useRef, useState } from "react";

interface NameFieldProps {
  name: string;
  label: string;
  /** Called once: with the new name, or with null when the old one stays. */
  onDone: (name: string | null) => void;
}

/** A field in place of a name: Enter or leaving it keeps the new name, Escape the old one. */
export function NameField({ name, label, onDone }: NameFieldProps) {
  const [given, setGiven] = useState(name);
  // A field that goes away may lose its focus on the way: one end is enough.
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
      // biome-ignore lint/a11y/noAutofocus: the person has just asked for this field
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
