import type { ComponentProps } from "react";

/**
 * A radio button or checkbox that lies unseen over the whole of its label, which draws the choice: whoever points at the
 * label (a mouse, a finger, a screen reader's touch) meets the input itself. The label must be positioned; what follows
 * in it can be styled by the input's state as its peer.
 */
export function CoveringInput(
  input: Omit<ComponentProps<"input">, "className"> & { type: "radio" | "checkbox" },
) {
  return (
    <input {...input} className="peer absolute inset-0 m-0 size-full cursor-pointer opacity-0" />
  );
}
