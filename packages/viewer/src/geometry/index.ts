export { lengthText, scaleBar, type ScaleBar } from "./scale-bar.ts";
export { grown } from "./boxes.ts";
export { boundsOf, type Box } from "./point-grid.ts";
export { umapDrawing } from "./umap-drawing.ts";
export { scaledShape, shapeArea, type Shape } from "./shape.ts";
export {
  fromCommon,
  sectionMaps,
  toCommon,
  type CommonPlace,
  type LinkedSection,
  type SectionLandmarks,
  type SectionMap,
} from "./linked-places.ts";
