import type { Memory } from "./page-under-test.ts";

/** What one viewer did with one data set; lists hold one value a repetition, times in ms. Empty = not measured. */
export interface ViewerFigures {
  viewer: "Stipple" | "Vitessce";
  cells: number;
  firstTissue: number[];
  allCells: number[];
  /** Received until all cells were shown. */
  bytes: number[];
  /** Frame to frame, while the tissue with all cells is dragged and zoomed, and near cells with outlines are dragged. */
  panFrames: number[];
  zoomFrames: number[];
  closeFrames: number[];
  /** The first gene that a server reads of a project; genes not asked for before, at once or after a look at the list; genes seen again. */
  firstGene: number[];
  newGene: number[];
  markedGene: number[];
  knownGene: number[];
  hover: number[];
  memory: Memory | null;
  /** What failed, and how. */
  remarks: string[];
}

export function noFigures(viewer: ViewerFigures["viewer"], cells: number): ViewerFigures {
  return {
    viewer,
    cells,
    firstTissue: [],
    allCells: [],
    bytes: [],
    panFrames: [],
    zoomFrames: [],
    closeFrames: [],
    firstGene: [],
    newGene: [],
    markedGene: [],
    knownGene: [],
    hover: [],
    memory: null,
    remarks: [],
  };
}
