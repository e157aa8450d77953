import { joinClasses } from "./join-classes.ts";

/** A gray placeholder with the size given by `className`, shown while content loads. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={joinClasses("block animate-pulse rounded-control bg-raised", className)}
    />
  );
}
