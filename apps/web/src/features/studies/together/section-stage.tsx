import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Link2, Unlink2 } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { LoadFailure } from "../../../components/load-failure.tsx";
import { MiddleMark } from "../../../project/view/cross.tsx";
import { ScaleBarLine } from "../../../project/view/scale-bar-line.tsx";
import { type LinkedScenes, hasOwnScale, useUmPerPixel } from "./linked-scenes.ts";
import { SectionMarks, type Mark } from "./section-marks.tsx";
import { keyAction } from "../../../project/view/scene-keys.ts";
import { TOGETHER_TEXTS as TEXTS } from "./texts.ts";
import { contentOf, type SectionLook } from "./use-looks.ts";
import { useSectionScene } from "./use-section-scene.ts";
import type { OpenSection, Section } from "./use-sections.ts";
import { valueText } from "@stipple/viewer/cells";
import type { Box } from "@stipple/viewer/geometry";
import { VALUES } from "../../../project/view/query-options.ts";

export interface StageProps {
  section: Section;
  look: SectionLook;
  /** Shared names of the section's types. */
  typeNames: readonly string[];
  /** What is shown at first; undefined until the section is open. */
  extent: Box | undefined;
  linked: LinkedScenes;
  isLinked: boolean;
  onLink: (isLinked: boolean) => void;
  /** The scale of the common bar, µm per CSS px. */
  commonScale: number | null;
  marks: readonly Mark[];
  /** Given while landmarks are placed. */
  onPlace: ((x: number, y: number) => void) | undefined;
}

/** One section: its drawing, its name, and whether it moves with the others. */
export function SectionStage(props: StageProps) {
  const { section, extent, isLinked, onLink, onPlace, linked } = props;
  const { name, url, open, error, retry, projectId } = section;
  return (
    <section
      aria-label={name}
      data-section={projectId}
      className="relative flex min-h-0 min-w-0 flex-col overflow-hidden rounded-control border border-line bg-card max-md:h-[75vw]"
    >
      <header className="flex items-center gap-1 border-b border-line py-0.5 pr-1 pl-3">
        <h2 className="min-w-0 flex-1 truncate text-[0.8125rem] font-medium" title={name}>
          {name}
        </h2>
        {!onPlace && (
          <IconButton
            size="sm"
            icon={isLinked ? Link2 : Unlink2}
            label={isLinked ? TEXTS.unlink(name) : TEXTS.link(name)}
            onClick={() => onLink(!isLinked)}
          />
        )}
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          aria-label={TEXTS.openAlone(name)}
          title={TEXTS.openAlone(name)}
          className="grid size-7 place-items-center rounded text-ink-3 hover:text-ink"
        >
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      </header>
      <div
        className="relative min-h-0 flex-1 bg-raised"
        onPointerDownCapture={() => linked.lead(projectId)}
        onWheelCapture={() => linked.lead(projectId)}
        onFocusCapture={() => linked.lead(projectId)}
      >
        {error ? (
          <div className="p-4">
            <LoadFailure text={TEXTS.sectionFailed(errorText(error))} onRetry={retry} />
          </div>
        ) : (
          open && extent && <Stage {...props} open={open} extent={extent} />
        )}
      </div>
    </section>
  );
}

function Stage({
  open,
  section,
  look,
  typeNames,
  extent,
  linked,
  ...rest
}: StageProps & { open: OpenSection; extent: Box }) {
  const { isLinked, commonScale, marks, onPlace } = rest;
  const { projectId: id, name, cells } = section;
  const { source } = open;
  const parent = useRef<HTMLDivElement>(null);
  const [isClose, setIsClose] = useState(false);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const offsets = useQuery({
    queryKey: ["section-outlines", id, open.results],
    enabled: isClose,
    ...VALUES,
    queryFn: async ({ signal }) => (await source.column("polygons.offsets", signal)) as Uint32Array,
  });
  const content = useMemo(
    () => contentOf({ cells }, look, offsets.data),
    [cells, look, offsets.data],
  );
  const { scene, lost, again, missing } = useSectionScene(
    parent,
    { id, source, extent },
    content,
    linked,
    {
      onClose: () => setIsClose(true),
      onHover: (cell, x, y) => setHovered(cell < 0 ? null : { cell, x, y }),
      onPlace,
    },
  );
  useEffect(() => scene?.highlight(hovered?.cell ?? -1), [scene, hovered]);
  const umPerPixel = useUmPerPixel(linked, id);
  const showsScale = scene !== null && (!isLinked || hasOwnScale(scene, commonScale));
  return (
    <>
      <div
        ref={parent}
        role="application"
        aria-label={TEXTS.stage(name)}
        tabIndex={0}
        className="peer absolute inset-0 touch-none outline-offset-[-3px]"
        onKeyDown={(event) => {
          const act = keyAction(event.key);
          if (!act || !scene || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          act(scene);
        }}
        onPointerMove={({ clientX, clientY, currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect();
          linked.point(id, scene && scene.unproject(clientX - left, clientY - top));
        }}
        onPointerLeave={() => linked.point(id, null)}
      />
      {onPlace && <MiddleMark />}
      {scene && <SectionMarks id={id} scene={scene} linked={linked} marks={marks} />}
      <div className="pointer-events-none absolute bottom-2 left-2 z-[6] flex flex-col items-start gap-2">
        {missing.tiles && (
          <p className="rounded-control bg-card/90 px-2.5 py-1.5 text-xs">{TEXTS.tilesFailed}</p>
        )}
        {showsScale && umPerPixel !== null && <ScaleBarLine umPerPixel={umPerPixel} />}
      </div>
      {hovered && cells && (
        <CellFacts hovered={hovered} look={look} type={typeNames[cells.type[hovered.cell]!]} />
      )}
      {lost && <Lost onAgain={again} />}
    </>
  );
}

/** Covers a section that can no longer be drawn. */
function Lost({ onAgain }: { onAgain: () => void }) {
  return (
    <div
      role="alert"
      className="absolute inset-0 z-20 grid place-content-center gap-3 bg-raised p-4 text-center"
    >
      <p>{TEXTS.lost}</p>
      <Button onClick={onAgain} className="justify-self-center">
        {TEXTS.drawAgain}
      </Button>
    </div>
  );
}

/** A cell under the pointer, and where the pointer is on the section, CSS px. */
interface Hovered {
  cell: number;
  x: number;
  y: number;
}

/** What the cell under the pointer is. */
function CellFacts({
  hovered: { cell, x, y },
  look: { coloring },
  type,
}: {
  hovered: Hovered;
  look: SectionLook;
  type: string | undefined;
}) {
  const value = coloring.by === "value" ? coloring.values[cell] : undefined;
  return (
    <div
      className="pointer-events-none absolute z-10 max-w-48 rounded-control border border-line bg-card px-2.5 py-1.5 text-xs shadow-lg"
      style={{ left: x + 14, top: y + 14 }}
    >
      <p className="font-semibold">{TEXTS.cell(cell)}</p>
      {type !== undefined && <p className="[overflow-wrap:anywhere]">{type}</p>}
      {value !== undefined && (
        <p>{Number.isFinite(value) ? valueText(value) : TEXTS.notMeasured}</p>
      )}
    </div>
  );
}
