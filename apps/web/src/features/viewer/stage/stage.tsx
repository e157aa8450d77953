import { Maximize, Minus, Plus, type LucideIcon } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { viewerTexts } from "../../../texts/viewer.ts";
import { SelectionTools } from "../selection/draw/selection-tools.tsx";
import type { ViewName } from "../state/shown-state.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { setPlace } from "../state/viewer-store.ts";
import { CellCard } from "./cell-card.tsx";
import { scaleBar } from "./scale-bar.ts";
import { createScene, type Scene, type SceneContent } from "./scene.ts";

const PAN_PX = 80;

interface StageProps {
  view: ViewName;
  content: SceneContent;
  /** The view came so near that outlines are wanted, or went away again. */
  onClose?: (close: boolean) => void;
  /** Values that colour the cells, for the hover card. */
  values: readonly { name: string; values: Float32Array }[];
  /** Shown over the drawing, at its bottom left above the scale bar. */
  children?: ReactNode;
}

/** One view of the cells with its scale bar, zoom buttons and hover card. Views are linked by the hovered cell. */
export function Stage({ view, content, onClose, values, children }: StageProps) {
  const viewer = useViewer();
  const { source, manifest, cells, store } = viewer;
  const parent = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene>(null);
  const latest = useRef({ content, onClose });
  const [umPerPixel, setUmPerPixel] = useState<number | null>(null);
  const [pointer, setPointer] = useState<{ x: number; y: number } | null>(null);
  const [failed, setFailed] = useState<"tiles" | "outlines" | null>(null);
  const hovered = useViewerState((state) => state.hovered);
  const place = useViewerState((state) => state.places[view]);

  useEffect(() => {
    latest.current = { content, onClose };
  });

  useEffect(() => {
    if (!parent.current) return;
    const made = createScene(
      parent.current,
      { view, source, manifest, cells, place: store.getState().places[view] },
      {
        onView({ umPerPixel: next, close, place: seen }) {
          setUmPerPixel(next);
          latest.current.onClose?.(close);
          setPlace(store, view, seen);
        },
        onHover(cell, x, y) {
          setPointer(cell < 0 ? null : { x, y });
          if (store.getState().hovered !== cell) store.setState({ hovered: cell });
        },
        onTileError: () => setFailed("tiles"),
        onOutlineError: () => setFailed("outlines"),
      },
    );
    scene.current = made;
    made.show(latest.current.content);
    return () => {
      made.destroy();
      scene.current = null;
    };
  }, [view, source, manifest, cells, store]);

  useEffect(() => scene.current?.show(content), [content]);
  useEffect(() => scene.current?.highlight(hovered), [hovered]);
  // A saved view or the browser's history may ask for another place.
  useEffect(() => {
    if (place) scene.current?.goTo(place);
  }, [place]);

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keyAction(event.key);
    if (!act || !scene.current) return;
    event.preventDefault();
    act(scene.current);
  }

  return (
    <div className="relative min-h-0 min-w-0 flex-1 overflow-hidden bg-raised">
      <div
        ref={parent}
        role="application"
        aria-label={viewerTexts.stages[view]}
        tabIndex={0}
        onKeyDown={press}
        className="absolute inset-0 touch-none outline-offset-[-3px]"
      />
      <SelectionTools view={view} stage={parent} scene={scene} rgba={content.rgba} />
      <div className="absolute top-3 right-3 flex flex-col overflow-hidden rounded-control border border-line bg-card shadow-sm">
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
        <ZoomButton icon={Maximize} label={viewerTexts.fit} onClick={() => scene.current?.fit()} />
      </div>
      <div className="pointer-events-none absolute bottom-3 left-3 flex max-w-[calc(100%-1.5rem)] flex-col items-start gap-2">
        {failed && (
          <p
            role="status"
            className="rounded-control border border-line bg-card/95 px-2.5 py-1.5 text-xs text-ink-2"
          >
            {failed === "tiles" ? viewerTexts.tilesFailed : viewerTexts.outlinesFailed}
          </p>
        )}
        {children}
        {umPerPixel !== null && <ScaleBarLine umPerPixel={umPerPixel} />}
      </div>
      {pointer && hovered >= 0 && (
        <HoverCard x={pointer.x} y={pointer.y} parent={parent.current}>
          <CellCard cell={hovered} values={values} />
        </HoverCard>
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
  const bar = scaleBar(umPerPixel, 140);
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

const CARD_WIDTH = 224;

/** Beside the pointer, on the side where there is room. */
function HoverCard({
  x,
  y,
  parent,
  children,
}: {
  x: number;
  y: number;
  parent: HTMLElement | null;
  children: ReactNode;
}) {
  const width = parent?.clientWidth ?? 0;
  const height = parent?.clientHeight ?? 0;
  const left = x + 16 + CARD_WIDTH > width ? Math.max(8, x - 16 - CARD_WIDTH) : x + 16;
  return (
    <div
      className="pointer-events-none absolute z-10 rounded-control border border-line bg-card px-3 py-2.5 text-[0.8125rem] shadow-lg"
      style={{
        width: CARD_WIDTH,
        left,
        ...(y > height / 2 ? { bottom: height - y + 12 } : { top: y + 12 }),
      }}
    >
      {children}
    </div>
  );
}
