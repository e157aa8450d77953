import { createStore, type StoreApi } from "zustand/vanilla";
import type { CellSet } from "@stipple/viewer/cells";
import {
  type Grouping,
  type LayerChoices,
  type Place,
  type ViewName,
} from "@stipple/viewer/choices";
import { editedClusterings, type Clustering } from "./clusterings.ts";
import { FIRST_NUCLEUS_WORK, type NucleusTool, type NucleusWork } from "./nucleus-work.ts";
import { FIRST_REGION_WORK, type RegionTool, type RegionWork } from "./region-work.ts";
import { FIRST_SHOWN, type GroupEdit, type ShownState } from "./shown-state.ts";

export type Tool = "pan" | "lasso" | "rectangle" | RegionTool | "ruler" | NucleusTool;
/** How newly chosen cells combine with the selection. */
export type Combine = "replace" | "add" | "subtract";

/** A set of cells named by the user. */
export interface NamedGroup {
  /** Also of its annotation, if the project keeps it. */
  id: string;
  name: string;
  /** #rrggbb */
  color: string;
  cells: CellSet;
}

/** Cells that a person says are of a type. */
export interface AssignedCells {
  /** Of its annotation. */
  id: string;
  /** Name of the type: one of the analysis, one given to it, or a new one. */
  type: string;
  /** #rrggbb of a new type. */
  color: string;
  cells: CellSet;
}

/** Genes under a name, as they were written: the sample need not have them. */
export interface GeneList {
  /** Of its annotation. */
  id: string;
  name: string;
  genes: readonly string[];
}

/** What is shown, plus the user's working state. */
export interface ViewerState extends ShownState {
  /** The cell under the pointer in any view; −1 for none. */
  hovered: number;
  selection: CellSet | null;
  /** Previous selections, latest last. */
  earlierSelections: readonly (CellSet | null)[];
  combine: Combine;
  groups: readonly NamedGroup[];
  /** Cells whose type a person set, oldest first: the last one decides. */
  assigned: readonly AssignedCells[];
  /** The names and colors of `edits` that the project keeps; null before they are known. */
  projectEdits: ShownState["edits"] | null;
  /** Clusterings that people made of these cells. */
  clusterings: readonly Clustering[];
  geneLists: readonly GeneList[];
  tool: Tool;
  regionWork: RegionWork;
  nucleusWork: NucleusWork;
  /** Id of the open panel on the right. */
  panel: string | null;
  /** Id of the figure for a paper that is worked on; null = the newest. */
  paperFigure: string | null;
  /** Id of the chosen panel of that figure. */
  paperPanel: string | null;
}

export type ViewerStore = StoreApi<ViewerState>;

/** One per page. Values are replaced, never mutated in place. */
export function viewerStore(shown: Partial<ShownState> = {}): ViewerStore {
  return createStore<ViewerState>(() => ({
    ...FIRST_SHOWN,
    ...shown,
    hovered: -1,
    selection: null,
    earlierSelections: [],
    combine: "replace",
    groups: [],
    assigned: [],
    projectEdits: null,
    clusterings: [],
    geneLists: [],
    tool: "pan",
    regionWork: FIRST_REGION_WORK,
    nucleusWork: FIRST_NUCLEUS_WORK,
    panel: null,
    paperFigure: null,
    paperPanel: null,
  }));
}

export function setLayers(store: ViewerStore, part: Partial<LayerChoices>): void {
  store.setState(({ layers }) => ({ layers: { ...layers, ...part } }));
}

export function setPlace(store: ViewerStore, view: ViewName, place: Place | null): void {
  store.setState(({ places }) => ({ places: { ...places, [view]: place } }));
}

/** Hides groups, by their original names, and shows the others. */
export function setHidden(store: ViewerStore, of: Grouping, groups: readonly string[]): void {
  store.setState(({ hidden }) => ({ hidden: { ...hidden, [of]: groups } }));
}

/**
 * Sets a group's name and color, by its original name; an empty name or color restores the original. Groups that people
 * made have no other name than the one they were given.
 */
export function editGroup(store: ViewerStore, of: Grouping, group: string, edit: GroupEdit): void {
  if (of === "own") return store.setState((state) => editedClusterings(state, group, edit));
  store.setState(({ edits }) => {
    const kept: GroupEdit = {};
    const { name, color } = { ...edits[of][group], ...edit };
    if (name?.trim()) kept.name = name.trim();
    if (color) kept.color = color;
    const { [group]: _, ...others } = edits[of];
    const next = Object.keys(kept).length > 0 ? { ...others, [group]: kept } : others;
    return { edits: { ...edits, [of]: next } };
  });
}

/** The part of the state that makes up the picture. */
export function shownOf(state: ViewerState): ShownState {
  const keys = Object.keys(FIRST_SHOWN) as (keyof ShownState)[];
  return Object.fromEntries(keys.map((key) => [key, state[key]])) as unknown as ShownState;
}
