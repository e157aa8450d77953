import { lazy, useState } from "react";
import type { DialogProps } from "./dialog.tsx";
import { LazyBoundary } from "./lazy-boundary.tsx";

const Dialog = lazy(async () => ({ default: (await import("./dialog.tsx")).Dialog }));

/** A dialog whose code is loaded when it first opens, for pages that must load fast. */
export function LazyDialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <LazyBoundary>
      <Dialog {...props} />
    </LazyBoundary>
  );
}
