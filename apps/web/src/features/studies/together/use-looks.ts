import { cellColors, parseColor, spotColors, type Coloring } from "@stipple/viewer/cells";
import type { SceneContent } from "@stipple/viewer";
import { FIRST_LAYERS } from "@stipple/viewer/choices";
import { NO_CELLS } from "@stipple/viewer/source";
import { useMemo, useState } from "react";
import type { Choice } from "./choice.ts";
import type { SharedTypes } from "./shared-types.ts";
import type { Section } from "./use-sections.ts";
import { useSpotPlaces, type ShownValues } from "./use-shown-values.ts";

/** How each section is colored; the same object for the same colors. */
export interface SectionLook {
  coloring: Coloring;
  /** Indices of the section's types that are not shown. */
  hidden: readonly number[];
  /** Drawn instead of cells; null = not loaded, or there are none. */
  spots: { xy: Float32Array; values: Float32Array } | null | undefined;
}

/** One color scale, or the same colors of types, for all sections. While values load, what was shown before stays. */
export function useLooks(
  sections: readonly Section[],
  choice: Choice,
  { types, names }: SharedTypes,
  hiddenTypes: ReadonlySet<string>,
  { values, range, pending }: ShownValues,
): readonly SectionLook[] {
  const places = useSpotPlaces(sections, choice.by === "spots");
  const { by, layer } = choice;
  const count = sections.length;
  const looks = useMemo(
    () =>
      Array.from({ length: count }, (_, at): SectionLook => {
        const nothing: SectionLook = {
          ...{ coloring: { by: "nothing" }, hidden: [] },
          spots: by === "gene" ? undefined : null,
        };
        if (by === "type") return lookOfTypes(types, names[at] ?? [], hiddenTypes);
        const own = values[at];
        if (!own || !range) return nothing;
        const coloring: Coloring = {
          ...{ by: "value", values: own, range },
          observedOnly: by !== "spots" && layer === "counts",
        };
        const xy = places[at];
        if (by !== "spots") return { ...nothing, coloring };
        return xy ? { ...nothing, coloring, spots: { xy, values: own } } : nothing;
      }),
    [count, by, layer, types, names, hiddenTypes, values, range, places],
  );
  const [last, setLast] = useState(looks);
  const isWaiting = by !== "type" && pending && last.length === looks.length;
  const shown = isWaiting ? last : looks;
  if (shown !== last) setLast(shown);
  return shown;
}

function lookOfTypes(
  types: SharedTypes["types"],
  names: readonly string[],
  hiddenTypes: ReadonlySet<string>,
): SectionLook {
  const colors = new Map(types.map(({ name, color }) => [name, parseColor(color)]));
  return {
    coloring: {
      by: "group",
      of: "type",
      palette: names.map((name) => colors.get(name) ?? parseColor("")),
    },
    hidden: names.flatMap((name, index) => (hiddenTypes.has(name) ? [index] : [])),
    spots: undefined,
  };
}

/** What the scene of a section draws. O(cells). */
export function contentOf(
  { cells = NO_CELLS }: Pick<Section, "cells">,
  { coloring, hidden, spots }: SectionLook,
  polygonOffsets: Uint32Array | undefined,
): SceneContent {
  const ofCells: Coloring = spots === undefined ? coloring : { by: "nothing" };
  return {
    cells,
    rgba: cellColors(cells, ofCells, { type: hidden }).rgba,
    layers: { ...FIRST_LAYERS, cells: spots === undefined, spots: !!spots },
    spots: spots
      ? {
          xy: spots.xy,
          rgba: spotColors(coloring, spots.values.length, undefined),
          onlyEdges: false,
        }
      : undefined,
    swipe: null,
    polygonOffsets,
    nucleusOffsets: undefined,
    channels: undefined,
  };
}
