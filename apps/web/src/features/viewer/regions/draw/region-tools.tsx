import type { Scene } from "@stipple/viewer";
import { lengthText } from "@stipple/viewer/geometry";
import type { Sketch } from "@stipple/viewer/tools";
import { Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "../../../../components/button.tsx";
import { toast } from "../../../../components/toast-store.ts";
import { MiddleMark } from "../../../../project/view/cross.tsx";
import { SketchLines } from "../../stage/sketch-lines.tsx";
import type { RegionTool } from "../../state/region-work.ts";
import { useViewer, useViewerState } from "../../state/viewer-context.tsx";
import type { RegionValue, ViewRegion } from "../region-shape.ts";
import { regionTexts } from "../texts.ts";
import { drawingTool, takeBackCorner } from "./drawing-tool.ts";

/** Draws, changes, and measures on the tissue: the pointer's tool and what it has drawn so far. */
export function RegionTools({
  scene,
  regions,
  tool,
}: {
  scene: Scene | null;
  regions: readonly ViewRegion[];
  tool: RegionTool | "ruler";
}) {
  const viewer = useViewer();
  const { chosen, brushUm } = useViewerState((state) => state.regionWork);
  const [sketch, setSketch] = useState<Sketch | null>(null);
  const region = regions.find(({ id }) => id === chosen);
  /** What the corner tool shows already: it goes on where the change is its own. */
  const own = useRef<RegionValue>(undefined);
  const edited = tool === "corners" ? region?.value : undefined;
  const [round, setRound] = useState(0);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // The tool begins with what is there now: a second start would lose a drag that has begun.
    own.current = edited;
    if (!scene) return;
    const made = drawingTool(viewer, tool, {
      brushUm,
      onSketch: setSketch,
      onOwn: (value) => void (own.current = value),
      onProblem: (text) => toast(text, { failed: true }),
    });
    if (!made) return;
    scene.use(made);
    setReady(true);
    return () => {
      setReady(false);
      scene.use(null);
    };
  }, [scene, viewer, tool, brushUm, chosen, round]);
  // After the effect above.
  useEffect(() => {
    if (edited === own.current) return;
    own.current = edited;
    setRound((last) => last + 1);
  }, [edited]);

  return (
    <>
      <span role="status" className="sr-only">
        {ready && regionTexts.ready(regionTexts.toolNames[tool])}
      </span>
      {sketch && <SketchLines view="tissue" sketch={sketch} scene={scene} />}
      {(tool === "polygon" || tool === "ruler") && <MiddleMark />}
      {tool === "polygon" && sketch && (
        <Button
          size="sm"
          className="absolute right-3 bottom-3 z-[6] hidden shadow-sm pointer-coarse:flex"
          icon={Undo2}
          onClick={() => {
            takeBackCorner(viewer);
            setRound((last) => last + 1);
          }}
        >
          {regionTexts.takeBackCorner}
        </Button>
      )}
      {tool === "ruler" && scene && sketch && <RulerLength sketch={sketch} scene={scene} />}
    </>
  );
}

/** The length of the ruler's line, at its end. */
function RulerLength({ sketch, scene }: { sketch: Sketch; scene: Scene }) {
  const { manifest } = useViewer();
  const line = sketch.paths[0]!;
  if (line.length < 4) return null;
  const units = Math.hypot(line[2]! - line[0]!, line[3]! - line[1]!);
  const [x, y] = scene.project(line[2]!, line[3]!);
  return (
    <span
      role="status"
      className="pointer-events-none absolute z-[6] rounded bg-ink px-1.5 py-0.5 text-xs font-medium text-card"
      style={{ left: x + 10, top: y + 10 }}
    >
      {lengthText(units * manifest.tissue.scale * manifest.micronsPerPixel, 3)}
    </span>
  );
}
