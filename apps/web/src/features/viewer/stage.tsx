import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import { Maximize, Minus, Plus, type LucideIcon } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { viewerTexts } from "../../texts/viewer.ts";
import { scaleBar } from "./scale-bar.ts";
import { createScene, type Scene, type SceneContent } from "./scene.ts";
import type { Cells, ViewerSource } from "./viewer-data.ts";

const PAN_PX = 80;

interface StageProps {
  source: ViewerSource;
  manifest: ViewerManifest;
  cells: Cells;
  content: SceneContent;
  /** The view came so near that outlines are wanted, or went away again. */
  onClose: (close: boolean) => void;
  onTileError: () => void;
  /** What to tell about a cell. */
  describe: (cell: number) => ReactNode;
  /** Shown over the drawing, at its bottom left above the scale bar. */
  children?: ReactNode;
}

/** The drawing with its scale bar, zoom buttons and hover card. */
export function Stage(props: StageProps) {
  const { source, manifest, cells, content, describe, children } = props;
  const parent = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene>(null);
  const latest = useRef(props);
  const [umPerPixel, setUmPerPixel] = useState<number | null>(null);
  const [hover, setHover] = useState<{ cell: number; x: number; y: number } | null>(null);

  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (!parent.current) return;
    const made = createScene(parent.current, source, manifest, cells, {
      onView({ umPerPixel: next, close }) {
        setUmPerPixel(next);
        latest.current.onClose(close);
      },
      onHover: (cell, x, y) => setHover(cell < 0 ? null : { cell, x, y }),
      onTileError: () => latest.current.onTileError(),
    });
    scene.current = made;
    made.show(latest.current.content);
    return () => {
      made.destroy();
      scene.current = null;
    };
  }, [source, manifest, cells]);

  useEffect(() => scene.current?.show(content), [content]);

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keyAction(event.key);
    if (!act || !scene.current) return;
    event.preventDefault();
    act(scene.current);
  }

  return (
    <div className="relative min-h-0 min-w-0 overflow-hidden bg-raised md:col-start-2 md:row-span-2 md:row-start-1">
      <div
        ref={parent}
        role="application"
        aria-label={viewerTexts.stage}
        tabIndex={0}
        onKeyDown={press}
        className="absolute inset-0 touch-none outline-offset-[-3px]"
      />
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
        {children}
        {umPerPixel !== null && <ScaleBarLine umPerPixel={umPerPixel} />}
      </div>
      {hover && (
        <HoverCard x={hover.x} y={hover.y} parent={parent.current} content={describe(hover.cell)} />
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
  content,
}: {
  x: number;
  y: number;
  parent: HTMLElement | null;
  content: ReactNode;
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
      {content}
    </div>
  );
}
