import { useMemo } from "react";
import { annotationsOf } from "../annotations/annotation-store.ts";
import { useAnnotations } from "../annotations/use-annotations.ts";
import type { NucleusEdits } from "./change-nuclei.ts";

/** The edits of these results, and the ids of those of other results. */
export function useEdits(): { edits: NucleusEdits; earlier: readonly string[] } {
  const items = useAnnotations((state) => state.items);
  const cells = useAnnotations((state) => state.cells);
  return useMemo(() => {
    const all = annotationsOf(items, "outlines");
    const isCurrent = ({ value }: (typeof all)[number]) => value.cellsKey === cells;
    return {
      edits: new Map(all.filter(isCurrent).map(({ id, value }) => [id, value])),
      earlier: cells === null ? [] : all.filter((one) => !isCurrent(one)).map(({ id }) => id),
    };
  }, [items, cells]);
}
