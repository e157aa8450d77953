import type { Scene, DrawnRegion } from "@stipple/viewer";
import { boundsOf } from "@stipple/viewer/geometry";
import { outlineFinder } from "@stipple/viewer/source";
import { clickTool, type Sketch, type ViewTool } from "@stipple/viewer/tools";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useMemo } from "react";
import { toast } from "../../../components/toast-store.ts";
import { MiddleMark } from "../../../project/view/cross.tsx";
import { cornersOf } from "../regions/region-shape.ts";
import { SketchLines } from "../stage/sketch-lines.tsx";
import { isNucleusTool, type NucleusTool, type OutlineCorners } from "../state/nucleus-work.ts";
import { useViewer, useViewerState, type OpenViewer } from "../state/viewer-context.tsx";
import { setLayers } from "../state/viewer-store.ts";
import { nucleusTexts as texts } from "./texts.ts";
import { useEdits } from "./use-edits.ts";
import { polygonTool, rulerTool, type Line } from "@stipple/viewer/drawing";
import { KEPT } from "../../../project/view/query-options.ts";
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
import { stillThere, type NucleusEdits } from "./change-nuclei.ts";

const [CHANGED, DELETED, CHOSEN] = ["#009e73", "#3c3c3c", "#f0c000"];

/** Edited nuclei over the tissue, and the pointer's tool that edits them. */
export function NucleusEditing({ scene }: { scene: Scene | null }) {
  const viewer = useViewer();
  const { source, store, projectId, manifest } = viewer;
  const tool = useViewerState((state) => state.tool);
  const [sketch, setSketch] = useState<Sketch | null>(null);
  const [ready, setReady] = useState(false);
  const { edits } = useEdits();
  const { data: find } = useQuery({
    queryKey: ["nucleus-finder", projectId],
    enabled: "nuclei.offsets" in manifest.columns,
    ...KEPT,
    queryFn: async ({ signal }) =>
      outlineFinder(source, (await source.column("nuclei.offsets", signal)) as Uint32Array),
  });
  useNucleusShapes(edits, find);
  useEffect(() => {
    if (!scene || !find || !isNucleusTool(tool)) return;
    // The tissue has to be seen under the outlines.
    setLayers(store, { cells: true, outlines: true, nuclei: true, fill: false });
    const onProblem = (text: string) => toast(text, { failed: true });
    scene.use(nucleusTool(viewer, tool, { find, onSketch: setSketch, onProblem }));
    setReady(true);
    return () => {
      setReady(false);
      scene.use(null);
    };
  }, [scene, viewer, store, find, tool]);
  return (
    <>
      <span role="status" className="sr-only">
        {ready && isNucleusTool(tool) && texts.ready(texts.toolNames[tool])}
      </span>
      {ready && <MiddleMark />}
      {sketch && <SketchLines view="tissue" sketch={sketch} scene={scene} />}
    </>
  );
}

/** The pointer's tool, which edits nuclei. */
function nucleusTool(
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
    void problem.then(tell, () => onProblem(texts.failed));
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

/** Has edited and chosen nuclei drawn over the others, as long as it is used. */
function useNucleusShapes(edits: NucleusEdits, find: FindOutlines | undefined): void {
  const { store, manifest } = useViewer();
  const chosen = useViewerState((state) => state.nucleusWork.chosen);
  const deleted = useDeleted(edits, find);
  const { scale } = manifest.tissue;
  const drawn = useMemo(() => {
    const region = (ring: OutlineCorners, color: string): DrawnRegion => ({
      shape: [[Float64Array.from(ring.flat()).map((value) => value / scale)]],
      color,
      excluded: color === DELETED,
    });
    return [
      ...deleted.map((ring) => region(ring, DELETED!)),
      ...[...edits.values()].flatMap(({ added }) => added.map((ring) => region(ring, CHANGED!))),
      ...stillThere(chosen, edits).map(({ ring }) => region(ring, CHOSEN!)),
    ];
  }, [edits, deleted, chosen, scale]);
  useEffect(() => setNucleusWork(store, { drawn }), [store, drawn]);
  useEffect(() => () => setNucleusWork(store, { drawn: [], chosen: [] }), [store]);
}

/** Outlines of deleted nuclei, once they are loaded. */
function useDeleted(edits: NucleusEdits, find: FindOutlines | undefined): OutlineCorners[] {
  const { cells, manifest } = useViewer();
  const [known, setKnown] = useState<ReadonlyMap<number, OutlineCorners>>(new Map());
  const gone = useMemo(
    () => [...edits.values()].flatMap(({ removed, added }) => (added.length === 0 ? removed : [])),
    [edits],
  );
  useEffect(() => {
    let isOld = false;
    const missing = gone.filter((cell) => !known.has(cell) && 2 * cell < cells.xy.length);
    if (!find || missing.length === 0) return;
    const load = async (cell: number) => {
      const place = [0, 1].map((axis) => cells.xy[2 * cell + axis]! * manifest.tissue.scale);
      const around = await find(boundsOf(place));
      const ring = around.find((one) => one.cell === cell)?.ring ?? new Float64Array();
      return [cell, cornersOf(ring)] as const;
    };
    Promise.all(missing.map(load)).then(
      (loaded) => !isOld && setKnown((before) => new Map([...before, ...loaded])),
      // They are tried again with the next edit.
      () => undefined,
    );
    return () => void (isOld = true);
  }, [gone, known, find, cells, manifest]);
  return useMemo(
    () => gone.map((cell) => known.get(cell) ?? []).filter((ring) => ring.length > 0),
    [gone, known],
  );
}
