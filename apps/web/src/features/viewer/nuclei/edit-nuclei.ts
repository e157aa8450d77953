import {
  areaOfRing,
  goesThrough,
  mergedRing,
  isInside,
  splitRing,
  type Line,
} from "@stipple/viewer/drawing";
import { boundsOf, grown, shapeArea, type Box } from "@stipple/viewer/geometry";
import type { CellOutline } from "@stipple/viewer/source";
import { annotationsOf, changeAnnotations } from "../annotations/annotation-store.ts";
import { keptCorners } from "../regions/region-shape.ts";
import type { Nucleus, NucleusWork, OutlineCorners } from "../state/nucleus-work.ts";
import type { OpenViewer } from "../state/viewer-context.tsx";
import type { ViewerStore } from "../state/viewer-store.ts";
import {
  changesOfNuclei,
  stillThere,
  type NucleusEdits,
  type Replacement,
} from "./change-nuclei.ts";
import { nucleusTexts as texts } from "./texts.ts";

/** Finds the nuclei of the results whose cells have their centers in a box, full-resolution px. */
export type FindOutlines = (box: Box) => Promise<CellOutline[]>;

/** A nucleus reaches this far from the center of its cell, and nuclei this near are merged. */
const REACH_UM = 25;
const GAP_UM = 1;
/** A line that is longer splits no single nuclei. */
const LONGEST_UM = 100;

type Viewer = Pick<OpenViewer, "annotations" | "store" | "manifest">;

export function setNucleusWork(store: ViewerStore, part: Partial<NucleusWork>): void {
  store.setState(({ nucleusWork }) => ({ nucleusWork: { ...nucleusWork, ...part } }));
}

function editsOf({ annotations }: Viewer): NucleusEdits {
  const { items, cells } = annotations.getState();
  const own = annotationsOf(items, "outlines").filter(({ value }) => value.cellsKey === cells);
  return new Map(own.map(({ id, value }) => [id, value]));
}

/** What is chosen and still there. */
export function chosenNuclei(viewer: Viewer): Nucleus[] {
  return stillThere(viewer.store.getState().nucleusWork.chosen, editsOf(viewer));
}

function apply(viewer: Viewer, replacements: readonly Replacement[]): void {
  const { cells } = viewer.annotations.getState();
  changeAnnotations(
    viewer.annotations,
    changesOfNuclei(editsOf(viewer), replacements, cells ?? ""),
  );
  setNucleusWork(viewer.store, { chosen: [] });
}

/** Nuclei around a place or line (x, y of its points), edited ones first. */
async function nucleiIn(
  viewer: Viewer,
  find: FindOutlines,
  points: readonly number[],
): Promise<Nucleus[]> {
  const reach = REACH_UM / viewer.manifest.micronsPerPixel;
  const found = await find(grown(boundsOf(points), reach));
  const edits = editsOf(viewer);
  const made = [...edits.values()].flatMap(({ added }) => added);
  return [
    ...made.map((ring) => ({ cell: null, ring })),
    ...stillThere(
      found.map(({ cell, ring }) => ({ cell, ring: keptCorners(ring) })),
      edits,
    ),
  ];
}

/** Chooses the nucleus at a place (px), or no longer; what is wrong if there is none. */
export async function chooseAt(
  viewer: Viewer,
  find: FindOutlines,
  place: readonly [number, number],
): Promise<string | null> {
  const nuclei = await nucleiIn(viewer, find, place);
  const here = nuclei.find(({ ring }) => isInside(ringOf(ring), ...place));
  if (!here) return texts.noNucleus;
  const before = chosenNuclei(viewer);
  const isHere = (one: Nucleus) =>
    here.cell === null ? one.ring === here.ring : one.cell === here.cell;
  const others = before.filter((one) => !isHere(one));
  setNucleusWork(viewer.store, {
    chosen: others.length < before.length ? others : [...before, here],
  });
  return null;
}

export function deleteChosen(viewer: Viewer): void {
  const chosen = chosenNuclei(viewer);
  apply(
    viewer,
    chosen.map((nucleus) => ({ how: "deleted", nuclei: [nucleus], rings: [] })),
  );
}

/** Merges the chosen nuclei; what is wrong if that can't be. */
export function mergeChosen(viewer: Viewer): string | null {
  const nuclei = chosenNuclei(viewer);
  if (nuclei.length < 2) return texts.few;
  const gap = GAP_UM / viewer.manifest.micronsPerPixel;
  const merged = mergedRing(
    nuclei.map(({ ring }) => ringOf(ring)),
    gap,
  );
  if (!merged) return texts.apart;
  apply(viewer, [{ how: "merged", nuclei, rings: [keptCorners(merged)] }]);
  return null;
}

/** Splits the nuclei that a line (px) goes through; what is wrong if there are none. */
export async function splitAlong(
  viewer: Viewer,
  find: FindOutlines,
  line: Line,
): Promise<string | null> {
  const [ax, ay, bx, by] = line;
  const lengthUm = Math.hypot(bx - ax, by - ay) * viewer.manifest.micronsPerPixel;
  if (lengthUm > LONGEST_UM) return texts.long;
  const nuclei = await nucleiIn(viewer, find, line);
  const replacements = nuclei.flatMap((nucleus): Replacement[] => {
    const ring = ringOf(nucleus.ring);
    const pieces = goesThrough(line, ring) ? splitRing(ring, line) : [];
    return pieces.length > 1
      ? [{ how: "split", nuclei: [nucleus], rings: pieces.map((piece) => keptCorners(piece)) }]
      : [];
  });
  if (replacements.length === 0) return texts.missed;
  apply(viewer, replacements);
  return null;
}

/** Adds a nucleus with a drawn outline (px); what is wrong if it has no area. */
export function addNucleus(viewer: Viewer, drawn: Float64Array): string | null {
  const outlines = areaOfRing(drawn).map(([outline]) => outline!);
  if (outlines.length === 0) return texts.noArea;
  const areaOf = (ring: Float64Array) => shapeArea([[ring]]);
  const largest = outlines.reduce((a, b) => (areaOf(b) > areaOf(a) ? b : a));
  apply(viewer, [{ how: "added", nuclei: [], rings: [keptCorners(largest)] }]);
  return null;
}

function ringOf(corners: OutlineCorners): Float64Array {
  return Float64Array.from(corners.flat());
}
