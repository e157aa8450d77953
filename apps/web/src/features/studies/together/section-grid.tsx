import type { SectionMatch } from "@stipple/contract/routes/study-view";
import { sectionMaps } from "@stipple/viewer/geometry";
import { useEffect, useMemo, useRef, useState } from "react";
import { Skeleton } from "../../../components/skeleton.tsx";
import { columnsOf, extentOf, landmarksInUnits, linkedSection } from "./grid.ts";
import { LinkedScenes } from "./linked-scenes.ts";
import { marksOn, withPlace, type Marking } from "./marking.ts";
import { useUmPerPixel } from "./scale.ts";
import { SectionStage } from "./section-stage.tsx";
import type { SharedTypes } from "./shared-types.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import { Toolbar, type Arrangement } from "./toolbar.tsx";
import { useStable } from "./use-stable.ts";
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
  useLinks(linked, open, landmarks, marking, unlinked);
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

/** Tells the scenes how their sections lie on each other, and which are moved on their own. */
function useLinks(
  linked: LinkedScenes,
  open: readonly OpenSection[],
  landmarks: readonly SectionMatch[],
  marking: Marking | null,
  unlinked: ReadonlySet<string>,
): void {
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
}

function changed(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}
