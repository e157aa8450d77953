import type { ComponentProps } from "react";

/**
 * A radio button or checkbox that lies unseen over the whole of its label, which draws the
 * choice: whoever points at the label (a mouse, a finger, a screen reader's touch) meets the
 * input itself. The label must be positioned.
 */
export function CoveringInput({
  peer = false,
  ...input
}: Omit<ComponentProps<"input">, "className"> & {
  type: "radio" | "checkbox";
  /** Whether what follows in the label is styled by the input's state. */
  peer?: boolean;
}) {
  return (
    <input
      {...input}
      className={`absolute inset-0 m-0 size-full cursor-pointer opacity-0 ${peer ? "peer" : ""}`}
    />
  );
}
