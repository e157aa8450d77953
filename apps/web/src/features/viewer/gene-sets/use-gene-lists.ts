import { useMemo } from "react";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { GeneList } from "../state/viewer-store.ts";
import { geneMatcher, type MatchedGenes } from "../../../project/view/match-genes.ts";

/** The project's gene lists, with what the sample has of each. Returns the same array for the same lists. */
export function useGeneLists(): readonly (GeneList & MatchedGenes)[] {
  const { manifest } = useViewer();
  const lists = useViewerState((state) => state.geneLists);
  const match = useMemo(() => geneMatcher(manifest.genes), [manifest.genes]);
  return useMemo(() => lists.map((list) => ({ ...list, ...match(list.genes) })), [lists, match]);
}
