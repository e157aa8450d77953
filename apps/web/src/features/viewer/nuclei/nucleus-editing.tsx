import type { Scene } from "@stipple/viewer";
import { NUCLEI_FILE } from "@stipple/contract/viewer-manifest";
import { outlineFinder } from "@stipple/viewer/source";
import type { Sketch } from "@stipple/viewer/tools";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useToast } from "../../../components/toast-store.ts";
import { SketchLines } from "../stage/sketch-lines.tsx";
import { isNucleusTool } from "../state/nucleus-work.ts";
import { useViewer, useViewerState } from "../state/viewer-context.tsx";
import { setLayers } from "../state/viewer-store.ts";
import { nucleusTool } from "./nucleus-tool.ts";
import { nucleusTexts as texts } from "./texts.ts";
import { useEdits } from "./use-edits.ts";
import { useNucleusShapes } from "./use-nucleus-shapes.ts";

/** Edited nuclei over the tissue, and the pointer's tool that edits them. */
export function NucleusEditing({ scene }: { scene: Scene | null }) {
  const viewer = useViewer();
  const { source, store, projectId, manifest } = viewer;
  const toast = useToast();
  const tool = useViewerState((state) => state.tool);
  const [sketch, setSketch] = useState<Sketch | null>(null);
  const [ready, setReady] = useState(false);
  const { edits } = useEdits();
  const { data: find } = useQuery({
    queryKey: ["nucleus-finder", projectId],
    enabled: "nuclei.offsets" in manifest.columns,
    staleTime: Infinity,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      outlineFinder(
        source,
        NUCLEI_FILE,
        (await source.column("nuclei.offsets", signal)) as Uint32Array,
      ),
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
  }, [scene, viewer, store, find, tool, toast]);
  return (
    <>
      <span role="status" className="sr-only">
        {ready && isNucleusTool(tool) && texts.ready(texts.toolNames[tool])}
      </span>
      {sketch && <SketchLines view="tissue" sketch={sketch} scene={scene} />}
    </>
  );
}
