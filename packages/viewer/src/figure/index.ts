export { cellsSvg, MAX_VECTOR_CELLS } from "./cells-svg.ts";
export { figurePicture } from "./figure-picture.ts";
export { figureSvg, fitting, scaleBarSvg, type Figure, type GroupLabel } from "./figure-svg.ts";
export { regionsSvg } from "./regions-svg.ts";
export { scaleEnds, type LegendPart } from "./legend-parts.ts";
