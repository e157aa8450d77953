import { Maximize, Minus, Plus, type LucideIcon } from "lucide-react";
import { lazy, Suspense, useEffect, useId, useRef, useState, type ReactNode } from "react";
import { loadCode } from "../../../app/load-code.ts";
import { viewerTexts } from "../texts.ts";
import { NO_CELLS } from "../data/cells.ts";
import { SelectionTools } from "../selection/draw/selection-tools.tsx";
import type { Place, ViewName } from "../state/shown-state.ts";
import { useViewer } from "../state/viewer-context.tsx";
import { setPlace } from "../state/viewer-store.ts";
import { STAGE_MARK, stageOf } from "../shortcuts/shortcut-keys.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { ExportMenuButton, type ExportedView } from "./export-menu-button.tsx";
import { HoverCard, type HoverCardControl } from "./hover-card.tsx";
import { LostNotice } from "./lost-notice.tsx";
import { scaleBar } from "./scale-bar.ts";
import { createScene, type Scene, type SceneContent } from "./scene.ts";
import { StageRemark } from "./stage-remark.tsx";
import { StageSummary } from "./stage-summary.tsx";
import { SwipeHandle } from "./swipe-handle.tsx";

/** Only the UMAP needs them. */
const GroupLabels = lazy(async () => ({
  default: (await loadCode(() => import("./group-labels.tsx"))).GroupLabels,
}));

const PAN_PX = 80;
const NOTHING_MISSING = { tiles: false, outlines: false };
/** Below this width, the scale bar leaves room for the legends next to it. */
const SMALL_SCREEN_PX = 768;

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
  const { source, manifest, store } = useViewer();
  const frame = useRef<HTMLDivElement>(null);
  const parent = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene>(null);
  const card = useRef<HoverCardControl>(null);
  const latest = useRef({ content, onClose });
  const [umPerPixel, setUmPerPixel] = useState<number | null>(null);
  const [missing, setMissing] = useState(NOTHING_MISSING);
  const [lost, setLost] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const summary = useId();

  useEffect(() => {
    latest.current = { content, onClose };
  });

  useEffect(() => {
    if (!parent.current) return;
    // Places reported by this view itself; any other was requested by a saved view or the browser history.
    const reported = new WeakSet<Place>();
    let made: Scene;
    try {
      made = createScene(
        parent.current,
        { view, source, manifest, place: store.getState().places[view] },
        {
          onView({ umPerPixel: next, close, place }) {
            setUmPerPixel(next);
            latest.current.onClose?.(close);
            reported.add(place);
            setPlace(store, view, place);
          },
          onHover(cell, x, y) {
            card.current?.moveTo(cell < 0 ? null : { x, y });
            if (store.getState().hovered !== cell) store.setState({ hovered: cell });
          },
          onMissing: (part, isMissing) =>
            setMissing((was) => (was[part] === isMissing ? was : { ...was, [part]: isMissing })),
          onLost: () => setLost(true),
        },
      );
    } catch (error) {
      console.error(error);
      queueMicrotask(() => setLost(true));
      return;
    }
    scene.current = made;
    made.show(latest.current.content);
    made.highlight(store.getState().hovered);
    const stop = store.subscribe((state, before) => {
      if (state.hovered !== before.hovered) made.highlight(state.hovered);
      const place = state.places[view];
      if (place && place !== before.places[view] && !reported.has(place)) made.goTo(place);
    });
    return () => {
      stop();
      made.destroy();
      scene.current = null;
    };
  }, [view, source, manifest, store, attempt]);

  useEffect(() => scene.current?.show(content), [content]);

  useShortcut((event) => {
    const act = keyAction(event.key);
    if (!act || !scene.current || stageOf(event) !== frame.current) return;
    event.preventDefault();
    act(scene.current);
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
        className="absolute inset-0 touch-none outline-offset-[-3px]"
      />
      <StageSummary id={summary} view={view} scene={scene} content={content} />
      {view === "umap" && (
        <Suspense fallback={null}>
          <GroupLabels scene={scene} />
        </Suspense>
      )}
      {content.cells !== NO_CELLS && (
        <SelectionTools view={view} stage={parent} scene={scene} rgba={content.rgba} />
      )}
      {view === "tissue" && <SwipeHandle />}
      <div className="absolute top-3 right-3 z-[6] flex flex-col gap-2">
        <div className="flex flex-col short:grid short:grid-cols-2 overflow-hidden rounded-control border border-line bg-card shadow-sm">
          <ZoomButton
            icon={Plus}
            label={viewerTexts.zoomIn}
            onClick={() => scene.current?.zoomBy(1)}
          />
          <ZoomButton
            icon={Minus}
            label={viewerTexts.zoomOut}
            onClick={() => scene.current?.zoomBy(-1)}
          />
          <ZoomButton
            icon={Maximize}
            label={viewerTexts.fit}
            onClick={() => scene.current?.fit()}
          />
        </div>
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
      {lost && (
        <LostNotice
          onAgain={() => {
            setLost(false);
            setMissing(NOTHING_MISSING);
            setAttempt(attempt + 1);
          }}
        />
      )}
    </div>
  );
}

function keyAction(key: string): ((scene: Scene) => void) | undefined {
  switch (key) {
    case "+":
    case "=":
      return (scene) => scene.zoomBy(0.5);
    case "-":
    case "_":
      return (scene) => scene.zoomBy(-0.5);
    case "0":
      return (scene) => scene.fit();
    case "ArrowLeft":
      return (scene) => scene.panBy(-PAN_PX, 0);
    case "ArrowRight":
      return (scene) => scene.panBy(PAN_PX, 0);
    case "ArrowUp":
      return (scene) => scene.panBy(0, -PAN_PX);
    case "ArrowDown":
      return (scene) => scene.panBy(0, PAN_PX);
    default:
      return undefined;
  }
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

function ScaleBarLine({ umPerPixel }: { umPerPixel: number }) {
  const bar = scaleBar(umPerPixel, window.innerWidth < SMALL_SCREEN_PX ? 84 : 140);
  return (
    <div className="rounded-control border border-line bg-card/90 px-2.5 py-1.5 text-xs font-medium">
      <span className="sr-only">Scale bar: </span>
      {bar.text}
      <span
        aria-hidden
        className="mt-1 block h-1.5 border-x-2 border-b-2 border-ink"
        style={{ width: bar.widthPx }}
      />
    </div>
  );
}
