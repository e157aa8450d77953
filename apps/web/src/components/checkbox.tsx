import type { ComponentProps } from "react";
import { joinClasses } from "./join-classes.ts";

/** A box to tick, and beside it what for; `className` instead of the usual size and distance. */
export function Checkbox({
  className = "min-h-6 gap-2 text-[0.8125rem]",
  title,
  onCheck,
  children,
  ...input
}: Omit<ComponentProps<"input">, "onChange"> & { onCheck: (checked: boolean) => void }) {
  return (
    <label className={joinClasses("flex cursor-pointer items-center", className)} title={title}>
      <input
        type="checkbox"
        onChange={({ target }) => onCheck(target.checked)}
        className="size-4 shrink-0 accent-primary"
        {...input}
      />
      {children}
    </label>
  );
}
