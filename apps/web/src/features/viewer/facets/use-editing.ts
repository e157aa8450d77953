import { useRef, useState } from "react";

/**
 * Whether a row is being edited; afterward the focus goes back to its pencil or, if the row is gone because its name made
 * it part of another one, to the list's first button.
 */
export function useEditing() {
  const [isEditing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const stop = (): void => {
    const list = document.activeElement?.closest("section");
    setEditing(false);
    requestAnimationFrame(() => (pencil.current ?? list?.querySelector("button"))?.focus());
  };
  return { isEditing, pencil, edit: () => setEditing(true), stop };
}
