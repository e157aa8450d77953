import { joinClasses } from "./join-classes.ts";

export interface ProgressBarProps {
  /** 0–100; null while the extent is unknown (a moving bar). */
  value: number | null;
  /** Accessible name. */
  label: string;
  /** Spoken and shown instead of the percentage, e.g. "Unlimited". */
  valueText?: string;
  tone?: "primary" | "ok" | "warn" | "bad";
  /** Shimmers, so that a long step does not look frozen. */
  active?: boolean;
  className?: string;
}

const FILLS = { primary: "bg-primary", ok: "bg-ok", warn: "bg-warn", bad: "bg-bad" };

/** An 8 px progress bar. */
export function ProgressBar({
  value,
  label,
  valueText,
  tone = "primary",
  active = false,
  className,
}: ProgressBarProps) {
  const percent = value === null ? null : Math.min(100, Math.max(0, value));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent === null ? undefined : Math.round(percent)}
      aria-valuetext={valueText}
      className={joinClasses("h-2 w-full overflow-hidden rounded-full bg-raised", className)}
    >
      <div
        className={joinClasses(
          "h-full rounded-full transition-[width] duration-150",
          FILLS[tone],
          (active || percent === null) && "animate-pulse",
        )}
        style={{ width: `${percent ?? 100}%` }}
      />
    </div>
  );
}
