import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useShallow } from "zustand/shallow";
import { isCounted } from "../data/counted.ts";
import { useGeneValues, useMeasure, useScore } from "../data/use-values.ts";
import { shownGroups } from "../state/shown-groups.ts";
import { GROUPINGS, type Grouping } from "@stipple/viewer/choices";
import { useHiddenGroups, useViewer, useViewerState } from "../state/viewer-context.tsx";
import type { ViewerState } from "../state/viewer-store.ts";
import { cellColors, parseColor, type Coloring } from "@stipple/viewer/cells";
import { scaledColoring, useScaled } from "./use-scaled.ts";

export type CellColoring = ReturnType<typeof useColoring>;

const isGrouping = (colorBy: string): colorBy is Grouping =>
  (GROUPINGS as readonly string[]).includes(colorBy);

/** What colors may depend on. */
function coloringState(state: ViewerState) {
  const { places, hovered, tool, regionWork, nucleusWork, panel, groups, layers, ...rest } = state;
  return rest;
}

/** Colors of all cells for the current state. Computed once per page and shared by the views. */
export function useColoring() {
  const { manifest, cells } = useViewer();
  const state = useViewerState(useShallow(coloringState));
  const { colorBy, layer, edits, selection } = state;
  const hidden = useHiddenGroups();

  const first = useGeneValues(colorBy === "gene" || colorBy === "two" ? state.gene : null, layer);
  const second = useGeneValues(colorBy === "two" ? state.secondGene : null, layer);
  const score = useScore(colorBy === "score" ? state.scoreGenes : [], layer);
  const measure = useMeasure(colorBy === "measure" ? state.measure : null);
  const asked = {
    groups: [],
    gene: [first],
    two: [first, second],
    score: [score],
    measure: [measure],
  };
  const queries: UseQueryResult<Float32Array>[] = isGrouping(colorBy) ? [] : asked[colorBy];
  const aboveZero = colorBy === "gene" || colorBy === "two";
  const a = useScaled(queries[0]?.data, aboveZero);
  const b = useScaled(queries[1]?.data, aboveZero);

  const groups = useViewerState((viewer) => (viewer.colorBy === "groups" ? viewer.groups : null));
  const observedOnly = colorBy === "measure" ? isCounted(state.measure) : layer === "counts";
  const coloring = useMemo((): Coloring => {
    if (isGrouping(colorBy)) {
      const palette = shownGroups(manifest, colorBy, edits[colorBy]).map(({ color }) =>
        parseColor(color),
      );
      return { by: "group", of: colorBy, palette };
    }
    if (groups) {
      const sets = groups.map(({ cells: some, color }) => ({
        cells: some,
        color: parseColor(color),
      }));
      return { by: "sets", sets };
    }
    return scaledColoring(a, b, observedOnly);
  }, [colorBy, manifest, edits, groups, a, b, observedOnly]);

  // Keep the last colors while values load: gray in between would flash, and cost as much to paint as real colors.
  const pending = queries.some(({ isLoading }) => isLoading);
  const [last, setLast] = useState(coloring);
  const painted = pending && coloring.by === "nothing" ? last : coloring;
  if (painted !== last) setLast(painted);
  const { rgba, drawn } = useMemo(
    () => cellColors(cells, painted, hidden, selection),
    [cells, painted, hidden, selection],
  );
  const scales = [a, b].filter((scale) => scale !== undefined);
  return {
    rgba,
    drawn,
    coloring,
    /** The values behind a color scale, one per cell, for the hover card and plots; none for groups. */
    values: scales.map(({ values }) => values),
    ranges: scales.map(({ range }) => range),
    pending,
    error: queries.find(({ error }) => error)?.error ?? null,
  };
}
