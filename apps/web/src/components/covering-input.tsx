import type { ComponentProps } from "react";

/**
 * An invisible radio button or checkbox over its whole label, which draws the choice: any pointer on the label (a
 * mouse, a finger, a screen reader's touch) hits the input itself. The label must be positioned; what follows in it
 * can be styled by the input's state as its peer.
 */
export function CoveringInput(
  input: Omit<ComponentProps<"input">, "className"> & { type: "radio" | "checkbox" },
) {
  return (
    <input {...input} className="peer absolute inset-0 m-0 size-full cursor-pointer opacity-0" />
  );
}
