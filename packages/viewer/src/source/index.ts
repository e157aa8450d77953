export { loadCells, loadTissueCells, NO_CELLS, scaled, type Cells } from "./cells.ts";
export {
  channelChoices,
  chosenChannels,
  drawnChannels,
  MAX_CHANNELS,
  maxIntensity,
  type ShownChannel,
} from "./channel-choices.ts";
export type { ColumnArray } from "./columns.ts";
export { fetchFirstTiles } from "./first-tiles.ts";
export { folderSource } from "./folder.ts";
export { outlineFinder, type CellOutline } from "./outlines-in.ts";
export type { ViewSource } from "./source.ts";
export { sourceOfFiles, type ViewFiles } from "./view-files.ts";
