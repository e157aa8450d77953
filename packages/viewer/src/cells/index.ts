export * from "./cell-colors.ts";
export * from "./cell-set.ts";
export { spotClusterColoring, spotColors, spotEdgeColors } from "./spot-colors.ts";
export { distinctColor } from "./distinct-color.ts";
export { valueText } from "./value-text.ts";
export { commonRange, valueRange, type ValueRange } from "./value-range.ts";
export { VIRIDIS, VIRIDIS_GRADIENT } from "./viridis.ts";
