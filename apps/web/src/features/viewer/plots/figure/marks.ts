import {
  axisX,
  axisY,
  gridX,
  gridY,
  type AxisYOptions,
  type Markish,
  pointer,
  tip,
  type PointerOptions,
  type TipOptions,
} from "@observablehq/plot";

/** Minimum tick spacing, px: four-digit labels do not collide. */
const ALONG_X = 64;
const ALONG_Y = 40;

/** A value axis below a drawing, with its grid. */
export function valuesBelow(label: string): Markish[] {
  return [
    gridX({ strokeOpacity: 0.12, tickSpacing: ALONG_X }),
    axisX({ label, labelAnchor: "center", labelArrow: "none", tickSpacing: ALONG_X }),
  ];
}

/** A value axis to the left of a drawing, with its grid and its label rotated alongside it. */
export function valuesAtLeft(label: string, spacing = ALONG_Y): Markish[] {
  return [
    gridY({ strokeOpacity: 0.12, tickSpacing: spacing }),
    axisY({ label, labelAnchor: "center", labelArrow: "none", tickSpacing: spacing }),
  ];
}

/** Names of rows to the left of a drawing, as they fit there. */
export function namesAtLeft(
  names: readonly (string | number)[],
  labels: readonly string[],
  options: AxisYOptions = {},
): Markish {
  const tickFormat = (name: string | number): string => labels[names.indexOf(name)]!;
  return axisY({ tickFormat, tickSize: 0, label: null, ...options });
}

/** Tooltips for the mark under the pointer, taken from the datum's `text`. */
export function notes<Datum extends { text: string }>(
  data: readonly Datum[],
  options: TipOptions & PointerOptions,
): Markish {
  return tip(data, pointer({ title: "text", lineHeight: 1.3, ...options }));
}
