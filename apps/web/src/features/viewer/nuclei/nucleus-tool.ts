import { clickTool, polygonTool, rulerTool, type Line } from "@stipple/viewer/drawing";
import type { Sketch, ViewTool } from "@stipple/viewer/tools";
import type { NucleusTool } from "../state/nucleus-work.ts";
import type { OpenViewer } from "../state/viewer-context.tsx";
import {
  addNucleus,
  chooseAt,
  chosenNuclei,
  deleteChosen,
  mergeChosen,
  setNucleusWork,
  splitAlong,
  type FindOutlines,
} from "./edit-nuclei.ts";
import { nucleusTexts } from "./texts.ts";

/** The pointer's tool, which edits nuclei. */
export function nucleusTool(
  viewer: OpenViewer,
  tool: NucleusTool,
  {
    find,
    onSketch,
    onProblem,
  }: { find: FindOutlines; onSketch(sketch: Sketch | null): void; onProblem(text: string): void },
): ViewTool {
  const { scale } = viewer.manifest.tissue;
  const tell = (problem: string | null) => problem && onProblem(problem);
  const whenFound = (problem: Promise<string | null>) =>
    void problem.then(tell, () => onProblem(nucleusTexts.failed));
  switch (tool) {
    case "chooseNuclei":
      return clickTool({
        onClick: (x, y) => whenFound(chooseAt(viewer, find, [x * scale, y * scale])),
        onKey(key) {
          if (chosenNuclei(viewer).length === 0) return false;
          if (key === "Delete" || key === "Backspace") deleteChosen(viewer);
          else if (key === "Enter") tell(mergeChosen(viewer));
          else if (key === "Escape") setNucleusWork(viewer.store, { chosen: [] });
          else return false;
          return true;
        },
      });
    case "splitNuclei":
      return rulerTool({
        onSketch,
        onLine(line) {
          const px = line.map((value) => value * scale) as unknown as Line;
          whenFound(splitAlong(viewer, find, px));
        },
      });
    case "addNucleus":
      return polygonTool({
        onSketch,
        onRing: (ring) =>
          tell(
            addNucleus(
              viewer,
              ring.map((value) => value * scale),
            ),
          ),
      });
  }
}
