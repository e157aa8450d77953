import { axisX, axisY, gridX, gridY, type Markish } from "@observablehq/plot";

/** Least distance of ticks, px: numbers of four digits keep apart. */
const ALONG_X = 64;
const ALONG_Y = 40;

/** An axis of values below a drawing, with its grid. */
export function valuesBelow(label: string): Markish[] {
  return [
    gridX({ strokeOpacity: 0.12, tickSpacing: ALONG_X }),
    axisX({ label, labelAnchor: "center", labelArrow: "none", tickSpacing: ALONG_X }),
  ];
}

/** An axis of values at the left of a drawing, with its grid and its name turned upright next to it. */
export function valuesAtLeft(label: string, spacing = ALONG_Y): Markish[] {
  return [
    gridY({ strokeOpacity: 0.12, tickSpacing: spacing }),
    axisY({ label, labelAnchor: "center", labelArrow: "none", tickSpacing: spacing }),
  ];
}
