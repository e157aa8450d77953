import { loadCells } from "@stipple/viewer/source";
import { createRoot } from "react-dom/client";
import { Queries } from "../../../../apps/web/src/app/queries.tsx";
import { ToastRegion } from "../../../../apps/web/src/components/toast.tsx";
import { annotationStore } from "../../../../apps/web/src/features/viewer/annotations/annotation-store.ts";
import { useColoring } from "../../../../apps/web/src/features/viewer/coloring/use-coloring.ts";
import { PanelRail } from "../../../../apps/web/src/features/viewer/panels/panel-rail.tsx";
import { useToolKeys } from "../../../../apps/web/src/features/viewer/shortcuts/use-shortcut.ts";
import { Stages } from "../../../../apps/web/src/features/viewer/stage/stages.tsx";
import {
  ViewerProvider,
  type OpenViewer,
} from "../../../../apps/web/src/features/viewer/state/viewer-context.tsx";
import { viewerStore } from "../../../../apps/web/src/features/viewer/state/viewer-store.ts";
import { syntheticView } from "../view/synthetic-view.ts";
import "./page.css";

declare global {
  interface Window {
    /** Shows the tissue and the regions of someone who may draw, or may only look. */
    openWork(mayEdit: boolean): Promise<void>;
    viewer: OpenViewer;
  }
}

/** The parts of the interactive view that regions are worked on with. */
function Work() {
  const coloring = useColoring();
  useToolKeys();
  return (
    <main className="flex h-dvh max-sm:flex-col">
      <h1 className="sr-only">Regions</h1>
      <Stages coloring={coloring} />
      <PanelRail coloring={coloring} />
    </main>
  );
}

const NUCLEI = { file: "nuclei.offsets.u32", dtype: "uint32", length: 2 } as const;

const root = createRoot(document.querySelector("#root")!);
let round = 0;
window.openWork = async (mayEdit) => {
  const source = syntheticView();
  const annotations = annotationStore();
  const items = window.viewer?.annotations.getState().items ?? new Map();
  annotations.setState({
    mayEdit,
    status: "ready",
    cells: "these cells",
    items,
    saved: items,
  });
  const store = viewerStore();
  store.setState({
    panel: "regions",
    places: { tissue: { x: 400, y: 400, zoom: -0.5 }, umap: null },
  });
  window.viewer = {
    source,
    manifest: { ...source.manifest, columns: { "nuclei.offsets": NUCLEI } },
    cells: await loadCells(source),
    projectId: "p1",
    projectName: "Breast 1",
    readOnly: !mayEdit,
    mayExport: true,
    annotations,
    store,
    regrouped: new Set(),
  } as unknown as OpenViewer;
  root.render(
    <Queries key={(round += 1)}>
      <ViewerProvider value={window.viewer}>
        <Work />
      </ViewerProvider>
      <ToastRegion />
    </Queries>,
  );
};
