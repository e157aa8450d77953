export { cellsSvg, MAX_VECTOR_CELLS } from "./cells-svg.ts";
export { figurePicture } from "./figure-picture.ts";
export { figureSvg, scaleBarSvg, type Figure, type GroupLabel } from "./figure-svg.ts";
export { regionsSvg } from "./regions-svg.ts";
export { fittingText, widthOf } from "./fitting-text.ts";
export { legendSvg } from "./legend-svg.ts";
export { lines, shortened, textWidth } from "./text-width.ts";
export { scaleEnds, type LegendPart } from "./legend-parts.ts";
