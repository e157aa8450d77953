import type { ReactNode } from "react";
import { Link } from "wouter";
import { joinClasses } from "./join-classes.ts";
import { Skeleton } from "./skeleton.tsx";

export interface TileProps {
  label: string;
  /** A dash is shown for null. */
  value: ReactNode;
  /** Small line under the value. */
  hint?: ReactNode;
  /** Makes the whole tile a link. */
  to?: string | undefined;
  loading: boolean;
}

/** One figure with its name. */
export function Tile({ label, value, hint, to, loading }: TileProps) {
  const body = (
    <>
      <span className="block text-xs font-medium text-ink-3">{label}</span>
      {loading ? (
        <Skeleton className="mt-2 h-8 w-20" />
      ) : (
        <span className="mt-1 block text-[1.75rem] leading-9 font-semibold tracking-tight tabular-nums max-sm:text-xl max-[22rem]:text-base">
          {value ?? "–"}
        </span>
      )}
      {hint && <span className="mt-1 block text-[0.8125rem] text-ink-3">{hint}</span>}
    </>
  );
  const classes = "block rounded-card border border-line bg-card px-5 py-4 max-sm:px-4";
  return to ? (
    <Link to={to} className={joinClasses(classes, "transition-colors hover:border-line-input")}>
      {body}
    </Link>
  ) : (
    <div className={classes}>{body}</div>
  );
}
