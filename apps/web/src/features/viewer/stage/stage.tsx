import { useId, useMemo, useRef, useState, type ReactNode, type RefObject } from "react";
import type { SceneContent, Scene } from "@stipple/viewer";
import type { ViewName, Place } from "@stipple/viewer/choices";
import { NO_CELLS } from "@stipple/viewer/source";
import { lazyPart } from "../../../app/load-code.ts";
import { LazyBoundary } from "../../../components/lazy-boundary.tsx";
import { SelectionTools } from "../selection/draw/selection-tools.tsx";
import { StageNuclei } from "../nuclei/stage-nuclei.tsx";
import { StageRegions } from "../regions/draw/stage-regions.tsx";
import { STAGE_MARK, stageOf } from "../shortcuts/shortcut-keys.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { viewerTexts } from "../texts.ts";
import { ExportMenuButton, type ExportedView } from "./export-menu-button.tsx";
import { HoverCard, type HoverCardControl } from "./hover-card.tsx";
import { ScaleBarLine } from "../../../project/view/scale-bar-line.tsx";
import { keyAction } from "../../../project/view/scene-keys.ts";
import { StageRemark } from "./stage-remark.tsx";
import { StageSummary } from "./stage-summary.tsx";
import { SwipeHandle } from "./swipe-handle.tsx";
import { MonitorX, Maximize, Minus, Plus, type LucideIcon } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { stageTexts } from "./texts.ts";
import {
  useMadeScene,
  type MadeScene,
  type SceneMaking,
} from "../../../project/view/use-made-scene.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { setPlace } from "../state/viewer-store.ts";

/** Only the UMAP needs them. */
const GroupLabels = lazyPart(() => import("./group-labels.tsx"), "GroupLabels");

interface StageProps {
  view: ViewName;
  content: SceneContent;
  /** The view zoomed in far enough for outlines, or back out. */
  onClose?: (close: boolean) => void;
  /** Values coloring the cells, for the hover card. */
  values: readonly { name: string; values: Float32Array }[];
  /** Text next to the picture in an exported file. */
  exported: ExportedView;
  /** Shown over the drawing, at bottom left above the scale bar. */
  children?: ReactNode;
}

/** One view of the cells with its scale bar, zoom buttons, and hover card. Views are linked by the hovered cell. */
export function Stage({ view, content, onClose, values, exported, children }: StageProps) {
  const frame = useRef<HTMLDivElement>(null);
  const parent = useRef<HTMLDivElement>(null);
  const card = useRef<HoverCardControl>(null);
  const summary = useId();
  const { scene, umPerPixel, missing, lost, again } = useScene(parent, view, content, {
    onClose,
    onHover: (cell, x, y) => card.current?.moveTo(cell < 0 ? null : { x, y }),
  });

  useShortcut((event) => {
    const act = keyAction(event.key);
    if (!act || !scene || stageOf(event) !== frame.current) return;
    event.preventDefault();
    act(scene);
  });

  return (
    <div
      ref={frame}
      {...{ [STAGE_MARK]: view }}
      className="@container-size/stage relative min-h-0 min-w-0 flex-1 overflow-hidden bg-raised"
    >
      <div
        ref={parent}
        role="application"
        aria-label={viewerTexts.stages[view]}
        aria-describedby={summary}
        tabIndex={0}
        id={`stage-${view}`}
        className="peer absolute inset-0 touch-none outline-offset-[-3px]"
      />
      <StageSummary id={summary} view={view} scene={scene} content={content} />
      {view === "umap" && (
        <LazyBoundary>
          <GroupLabels scene={scene} />
        </LazyBoundary>
      )}
      {content.cells !== NO_CELLS && (
        <SelectionTools view={view} scene={scene} rgba={content.rgba} />
      )}
      {view === "tissue" && <StageRegions scene={scene} />}
      {view === "tissue" && <StageNuclei scene={scene} />}
      {view === "tissue" && <SwipeHandle />}
      <div className="absolute top-3 right-3 z-[6] flex flex-col gap-2">
        <ZoomButtons scene={scene} />
        <div className="short:absolute short:right-0 short:bottom-0">
          <ExportMenuButton view={view} scene={scene} content={content} exported={exported} />
        </div>
      </div>
      <div className="pointer-events-none absolute bottom-3 left-3 z-[6] flex max-w-[calc(100%-1.5rem)] flex-col items-start gap-2 narrow:flex-row narrow:flex-wrap narrow:items-end">
        {missing.tiles && <StageRemark>{viewerTexts.tilesFailed}</StageRemark>}
        {missing.outlines && <StageRemark>{viewerTexts.outlinesFailed}</StageRemark>}
        {children}
        {umPerPixel !== null && <ScaleBarLine umPerPixel={umPerPixel} />}
      </div>
      <HoverCard control={card} parent={parent} values={values} />
      {lost && <LostNotice onAgain={again} />}
    </div>
  );
}

/** Covers a view that can no longer be drawn. */
function LostNotice({ onAgain }: { onAgain: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 z-20 grid place-items-center bg-raised p-6">
      <div className="max-w-sm text-center">
        <MonitorX aria-hidden className="mx-auto size-10 text-ink-3" />
        <h2 className="mt-4 text-lg font-semibold">{stageTexts.lostTitle}</h2>
        <p className="mt-2 text-ink-2">{stageTexts.lostText}</p>
        <div className="mt-6 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={onAgain}>
            {stageTexts.drawAgain}
          </Button>
          <Button onClick={() => window.location.reload()}>{stageTexts.reload}</Button>
        </div>
      </div>
    </div>
  );
}

function ZoomButtons({ scene }: { scene: Scene | null }) {
  return (
    <div className="flex flex-col short:grid short:grid-cols-2 overflow-hidden rounded-control border border-line bg-card shadow-sm">
      <ZoomButton icon={Plus} label={viewerTexts.zoomIn} onClick={() => scene?.zoomBy(1)} />
      <ZoomButton icon={Minus} label={viewerTexts.zoomOut} onClick={() => scene?.zoomBy(-1)} />
      <ZoomButton icon={Maximize} label={viewerTexts.fit} onClick={() => scene?.fit()} />
    </div>
  );
}

function ZoomButton({
  icon: Icon,
  label,
  onClick,
}: {
  icon: LucideIcon;
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="grid size-9 place-items-center border-b border-line text-ink-2 outline-offset-[-2px] last:border-0 hover:bg-raised hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}

interface SceneEnds {
  /** The view zoomed in far enough for outlines, or back out. */
  onClose?: ((close: boolean) => void) | undefined;
  /** The cell under the pointer (−1 for none), and the pointer's position on the stage. */
  onHover(cell: number, x: number, y: number): void;
}

/** Draws a view into `parent`, linked to the other views by the place and the hovered cell in the store. */
function useScene(
  parent: RefObject<HTMLDivElement | null>,
  view: ViewName,
  content: SceneContent,
  ends: SceneEnds,
): MadeScene & { umPerPixel: number | null } {
  const { source, store } = useViewer();
  const [umPerPixel, setUmPerPixel] = useState<number | null>(null);
  // Places reported by this view itself; any other was requested by a saved view or the browser history.
  const [reported] = useState(() => new WeakSet<Place>());
  const making = useMemo<SceneMaking>(
    () => ({
      project: () => ({ view, source, place: store.getState().places[view] }),
      made(scene) {
        scene.highlight(store.getState().hovered);
        return store.subscribe((state, before) => {
          if (state.hovered !== before.hovered) scene.highlight(state.hovered);
          const place = state.places[view];
          if (place && place !== before.places[view] && !reported.has(place)) scene.goTo(place);
        });
      },
    }),
    [view, source, store, reported],
  );
  const made = useMadeScene(parent, making, content, {
    onView({ umPerPixel: next, close, place }) {
      setUmPerPixel(next);
      ends.onClose?.(close);
      reported.add(place);
      setPlace(store, view, place);
    },
    onHover(cell, x, y) {
      ends.onHover(cell, x, y);
      if (store.getState().hovered !== cell) store.setState({ hovered: cell });
    },
  });
  return { ...made, umPerPixel };
}
