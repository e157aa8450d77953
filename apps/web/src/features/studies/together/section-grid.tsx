import type { SectionMatch } from "@stipple/contract/routes/study-view";
import {
  sectionMaps,
  type Box,
  type LinkedSection,
  type SectionLandmarks,
} from "@stipple/viewer/geometry";
import { useEffect, useMemo, useRef, useState } from "react";
import { Skeleton } from "../../../components/skeleton.tsx";
import { LinkedScenes, useUmPerPixel } from "./linked-scenes.ts";
import { marksOn, withPlace, type Marking } from "./marking.ts";
import { SectionStage } from "./section-stage.tsx";
import type { SharedTypes } from "./shared-types.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import { Toolbar, type Arrangement } from "./toolbar.tsx";
import { useStable } from "../../../app/use-stable.ts";
import { useSavedFigure, type Explained } from "./use-saved-figure.ts";
import type { SectionLook } from "./use-looks.ts";
import type { OpenSection, Section } from "./use-sections.ts";

interface GridProps extends Explained {
  sections: readonly Section[];
  looks: readonly SectionLook[];
  types: SharedTypes;
  landmarks: readonly SectionMatch[];
  marking: Marking | null;
  isGuest: boolean;
  onMarking: (marking: Marking | null) => void;
}

/** The sections, linked; while landmarks are placed only the two that they are on, each moved on its own. */
export function SectionGrid(props: GridProps) {
  const { sections, looks, types, landmarks, marking, isGuest, onMarking } = props;
  const grid = useRef<HTMLDivElement>(null);
  const [linked] = useState(() => new LinkedScenes());
  const [unlinked, setUnlinked] = useState<ReadonlySet<string>>(new Set());
  const [arrangement, setArrangement] = useState<Arrangement>("grid");
  const open = useStable(sections.flatMap((section) => section.open ?? []));
  const isSettled = sections.every((section) => section.open ?? section.error);
  const maps = useMemo(
    () => sectionMaps(open.map(linkedSection), landmarksInUnits(landmarks, open)),
    [open, landmarks],
  );
  const isMarking = marking !== null;
  useEffect(
    () =>
      linked.arrange(maps, isMarking ? new Set(open.map(({ projectId }) => projectId)) : unlinked),
    [linked, maps, open, isMarking, unlinked],
  );
  const shown = sections
    .map((section, at) => ({ section, look: looks[at]!, typeNames: types.names[at]! }))
    .filter(({ section }) => !marking || marking.between.includes(section.projectId));
  const isApart = (id: string): boolean => marking !== null || unlinked.has(id);
  const leader = shown.find(({ section }) => section.open && !isApart(section.projectId));
  const commonScale = useUmPerPixel(linked, leader?.section.projectId ?? null);
  const save = useSavedFigure(props, { grid, linked, shown, commonScale, isApart });
  const columns = arrangement === "row" ? shown.length : columnsOf(shown.length);
  return (
    <div className="flex min-h-0 min-w-0 flex-col p-3 md:col-start-2 md:row-span-2 md:row-start-1">
      <Toolbar
        {...{ linked, commonScale, arrangement, onArrange: setArrangement, isGuest, onSave: save }}
        mayExport={open.every(({ mayExport }) => mayExport)}
      />
      {isSettled ? (
        <div
          ref={grid}
          className="grid min-h-0 flex-1 gap-2 max-md:!grid-cols-1 md:auto-rows-fr"
          style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        >
          {shown.map(({ section, look, typeNames }) => {
            const { projectId: id, open: own } = section;
            const scale = own?.source.manifest.tissue.scale ?? 1;
            return (
              <SectionStage
                key={id}
                {...{ section, look, typeNames, linked, commonScale }}
                extent={own && extentOf(own, open)}
                isLinked={!isApart(id)}
                onLink={(isLinked) => setUnlinked(changed(unlinked, id, !isLinked))}
                marks={marking ? marksOn(marking, id, scale) : []}
                onPlace={
                  marking
                    ? (x, y) => onMarking(withPlace(marking, id, x * scale, y * scale))
                    : undefined
                }
              />
            );
          })}
        </div>
      ) : (
        <>
          <p role="status" className="mb-3 text-ink-2">
            {TEXTS.loading}
          </p>
          <Skeleton className="min-h-96 flex-1" />
        </>
      )}
    </div>
  );
}

function changed(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

/** Columns of a grid of sections: as wide as high, or wider. */
function columnsOf(sections: number): number {
  return Math.ceil(Math.sqrt(sections)) + (sections > 6 ? 1 : 0);
}

function linkedSection({ projectId, source }: OpenSection): LinkedSection {
  const { micronsPerPixel, tissue } = source.manifest;
  return {
    id: projectId,
    middle: [tissue.widthPx / 2, tissue.heightPx / 2],
    umPerUnit: micronsPerPixel * tissue.scale,
  };
}

/** What of a section is shown at first: around its middle, as much as the largest of all sections needs. */
function extentOf(section: OpenSection, all: readonly OpenSection[]): Box {
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
function landmarksInUnits(
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
