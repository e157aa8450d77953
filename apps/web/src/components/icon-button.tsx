import type { LucideIcon } from "lucide-react";
import type { Ref } from "react";
import { joinClasses } from "./join-classes.ts";

/** A quiet icon-only button; `label` is its accessible name and tooltip. */
export function IconButton({
  ref,
  icon: Icon,
  label,
  size = "md",
  className,
  disabled = false,
  keepsFocus = false,
  onClick,
}: {
  ref?: Ref<HTMLButtonElement>;
  icon: LucideIcon;
  label: string;
  /** `sm` for rows of a list. */
  size?: "sm" | "md";
  className?: string;
  disabled?: boolean;
  /** Keeps the focus when it is disabled, as what is pressed several times in a row. */
  keepsFocus?: boolean;
  onClick: () => void;
}) {
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      title={label}
      disabled={disabled && !keepsFocus}
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onClick();
      }}
      className={joinClasses(
        "grid shrink-0 place-items-center text-ink-3 hover:text-ink aria-disabled:opacity-50",
        size === "sm" ? "size-7 rounded" : "size-9 rounded-control hover:bg-raised",
        className,
      )}
    >
      <Icon aria-hidden className={size === "sm" ? "size-3.5" : "size-4"} />
    </button>
  );
}
