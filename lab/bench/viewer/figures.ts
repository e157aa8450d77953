import type { Memory } from "./page-under-test.ts";

/** One viewer's figures on one data set; lists hold one value per repetition, times in ms. Empty = not measured. */
export interface ViewerFigures {
  viewer: "Stipple" | "Vitessce";
  cells: number;
  firstTissue: number[];
  allCells: number[];
  /** Bytes received until all cells were shown. */
  bytes: number[];
  /**
   * Frame intervals while dragging and zooming the tissue with all cells, and while dragging close-up cells with
   * outlines.
   */
  panFrames: number[];
  zoomFrames: number[];
  closeFrames: number[];
  /**
   * The first gene a server reads from a project; new genes, chosen at once or after a pause in the list; repeated
   * genes.
   */
  firstGene: number[];
  newGene: number[];
  markedGene: number[];
  knownGene: number[];
  hover: number[];
  memory: Memory | null;
  /** Failures. */
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
