import { Suspense, useId, useRef, type ReactNode } from "react";
import type { SceneContent } from "@stipple/viewer";
import type { ViewName } from "@stipple/viewer/choices";
import { NO_CELLS } from "@stipple/viewer/source";
import { lazyPart } from "../../../app/load-code.ts";
import { SelectionTools } from "../selection/draw/selection-tools.tsx";
import { StageNuclei } from "../nuclei/stage-nuclei.tsx";
import { StageRegions } from "../regions/draw/stage-regions.tsx";
import { STAGE_MARK, stageOf } from "../shortcuts/shortcut-keys.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { viewerTexts } from "../texts.ts";
import { ExportMenuButton, type ExportedView } from "./export-menu-button.tsx";
import { HoverCard, type HoverCardControl } from "./hover-card.tsx";
import { LostNotice } from "./lost-notice.tsx";
import { ScaleBarLine } from "../../../project/view/scale-bar-line.tsx";
import { keyAction } from "../../../project/view/scene-keys.ts";
import { StageRemark } from "./stage-remark.tsx";
import { StageSummary } from "./stage-summary.tsx";
import { SwipeHandle } from "./swipe-handle.tsx";
import { useScene } from "./use-scene.ts";
import { ZoomButtons } from "./zoom-buttons.tsx";

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
        className="absolute inset-0 touch-none outline-offset-[-3px]"
      />
      <StageSummary id={summary} view={view} scene={scene} content={content} />
      {view === "umap" && (
        <Suspense fallback={null}>
          <GroupLabels scene={scene} />
        </Suspense>
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
