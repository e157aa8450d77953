import { type Coloring, type ScaledValues, valueRange } from "@stipple/viewer/cells";
import { useMemo } from "react";
import { useViewerState } from "../state/viewer-context.tsx";

/** Values with their color scale, whose ends are the chosen quantiles; undefined until they are loaded. */
export function useScaled(
  values: Float32Array | undefined,
  aboveZero: boolean,
): ScaledValues | undefined {
  const [low, high] = useViewerState((state) => state.quantiles);
  return useMemo(
    () => values && { values, range: valueRange(values, [low, high], aboveZero) },
    [values, low, high, aboveZero],
  );
}

/** Coloring by both values, or by those that are loaded. */
export function scaledColoring(
  first: ScaledValues | undefined,
  second: ScaledValues | undefined,
  observedOnly: boolean,
): Coloring {
  if (first && second) return { by: "two", first, second, observedOnly };
  const only = first ?? second;
  return only ? { by: "value", ...only, observedOnly } : { by: "nothing" };
}
