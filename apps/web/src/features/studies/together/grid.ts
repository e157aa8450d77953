import type { SectionMatch } from "@stipple/contract/routes/study-view";
import type { LinkedSection, SectionLandmarks } from "@stipple/viewer/geometry";
import type { OpenSection } from "./use-sections.ts";
import type { Extent } from "./use-section-scene.ts";

/** Columns of a grid of sections: as wide as high, or wider. */
export function columnsOf(sections: number): number {
  return Math.ceil(Math.sqrt(sections)) + (sections > 6 ? 1 : 0);
}

export function linkedSection({ projectId, source }: OpenSection): LinkedSection {
  const { micronsPerPixel, tissue } = source.manifest;
  return {
    id: projectId,
    middle: [tissue.widthPx / 2, tissue.heightPx / 2],
    umPerUnit: micronsPerPixel * tissue.scale,
  };
}

/** What of a section is shown at first: around its middle, as much as the largest of all sections needs. */
export function extentOf(section: OpenSection, all: readonly OpenSection[]): Extent {
  const sizes = all.map((one) => {
    const { widthPx, heightPx } = one.source.manifest.tissue;
    const { umPerUnit } = linkedSection(one);
    return [widthPx * umPerUnit, heightPx * umPerUnit] as const;
  });
  const { middle, umPerUnit } = linkedSection(section);
  const [halfX, halfY] = [0, 1].map(
    (axis) => Math.max(...sizes.map((size) => size[axis]!)) / 2 / umPerUnit,
  ) as [number, number];
  return {
    minX: middle[0] - halfX,
    minY: middle[1] - halfY,
    maxX: middle[0] + halfX,
    maxY: middle[1] + halfY,
  };
}

/** Landmarks between sections that are open, in their drawing units. */
export function landmarksInUnits(
  landmarks: readonly SectionMatch[],
  open: readonly OpenSection[],
): SectionLandmarks[] {
  const scales = new Map(
    open.map(({ projectId, source }) => [projectId, source.manifest.tissue.scale]),
  );
  return landmarks.flatMap(({ between, points }) => {
    const [a, b] = between.map((id) => scales.get(id));
    if (a === undefined || b === undefined) return [];
    return [{ between, points: points.map(([x, y, u, v]) => [x / a, y / a, u / b, v / b]) }];
  });
}
