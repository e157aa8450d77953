import type { ImportedObject } from "@stipple/formats/geojson/drawn-region";
import type { Shape } from "@stipple/viewer/geometry";
import {
  annotationsOf,
  changeAnnotations,
  type AnnotationStore,
} from "../annotations/annotation-store.ts";
import { newId } from "../annotations/new-id.ts";
import { nextGroupColor } from "../selection/selection-actions.ts";
import { firstFreeName } from "../state/free-names.ts";
import type { OpenViewer } from "../state/viewer-context.tsx";
import type { RegionWork } from "../state/region-work.ts";
import type { ViewerStore } from "../state/viewer-store.ts";
import { keptPolygons, type RegionValue } from "./region-shape.ts";
import { regionTexts } from "./texts.ts";

export function setRegionWork(store: ViewerStore, part: Partial<RegionWork>): void {
  store.setState(({ regionWork }) => ({ regionWork: { ...regionWork, ...part } }));
}

export function regionValues(annotations: AnnotationStore): RegionValue[] {
  return annotationsOf(annotations.getState().items, "region").map(({ value }) => value);
}

/** Adds regions in one step, and chooses the last. */
export function addRegions(
  { annotations, store }: Pick<OpenViewer, "annotations" | "store">,
  values: readonly RegionValue[],
): void {
  const changes = values.map((value) => ({
    id: newId(),
    kind: "region" as const,
    value,
  }));
  changeAnnotations(annotations, changes);
  setRegionWork(store, { chosen: changes.at(-1)?.id ?? null });
}

/** A drawn shape as a region of its own. */
export function addDrawn(viewer: OpenViewer, shape: Shape): void {
  const others = regionValues(viewer.annotations);
  addRegions(viewer, [
    {
      name: firstFreeName(
        others.map(({ name }) => name),
        regionTexts.defaultName,
      ),
      class: null,
      color: nextGroupColor(others),
      polygons: keptPolygons(shape, viewer.manifest),
      excluded: false,
    },
  ]);
}

export function changeRegion(
  annotations: AnnotationStore,
  id: string,
  part: Partial<RegionValue>,
): void {
  const item = annotations.getState().items.get(id);
  if (item?.kind !== "region") return;
  const value = { ...item.value, ...part };
  const redrawn = part.polygons ? { ...value, imported: redrawnObject(value) } : value;
  changeAnnotations(annotations, [{ id, kind: "region", value: redrawn }]);
}

/** What is left of the objects that a region was imported from once it was redrawn: the first, without what was measured. */
function redrawnObject({ imported, polygons }: RegionValue): RegionValue["imported"] {
  if (!imported) return undefined;
  const [{ id, properties }] = imported.objects as [ImportedObject];
  const { measurements: _, ...kept } = properties ?? {};
  return { ...imported, objects: [{ polygons: polygons.length, id, properties: kept }] };
}

export function removeRegion(annotations: AnnotationStore, id: string): void {
  changeAnnotations(annotations, [{ id, kind: "region", value: null }]);
}
