import { useRef, useState } from "react";

/** Whether a row is being edited; afterwards the focus goes back to its pencil. */
export function useEditing() {
  const [isEditing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const stop = (): void => {
    setEditing(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  return { isEditing, pencil, edit: () => setEditing(true), stop };
}
