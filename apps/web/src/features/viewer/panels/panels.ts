import {
  Boxes,
  ChartColumn,
  CircleDashed,
  LayoutDashboard,
  Lasso,
  ListChecks,
  NotebookPen,
  Scale,
  Shapes,
  Share2,
  Table2,
  type LucideIcon,
} from "lucide-react";
import { lazy, type ComponentType } from "react";
import { selectionTexts } from "../selection/texts.ts";
import { viewerTexts } from "../texts.ts";
import type { Panel, PanelProps } from "./panel-rail.tsx";

const { label: selection } = selectionTexts.panel;
const {
  annotations,
  clusters,
  differential,
  figures,
  geneSets,
  markers,
  nuclei,
  plots,
  regions,
  share,
} = viewerTexts.panels;

/** The tools on the right side, from top to bottom: a new one is a folder and an entry here. */
export const PANELS: readonly Panel[] = [
  panel(
    "selection",
    selection,
    Lasso,
    async () => (await import("../selection/panel/selection-panel.tsx")).SelectionPanel,
  ),
  panel(
    "regions",
    regions,
    Shapes,
    async () => (await import("../regions/panel/regions-panel.tsx")).RegionsPanel,
  ),
  panel(
    "nuclei",
    nuclei,
    CircleDashed,
    async () => (await import("../nuclei/nuclei-panel.tsx")).NucleiPanel,
  ),
  panel(
    "differential",
    differential,
    Scale,
    async () =>
      (await import("../selection/differential/differential-panel.tsx")).DifferentialPanel,
  ),
  panel(
    "clusters",
    clusters,
    Boxes,
    async () => (await import("../clusters/clusters-panel.tsx")).ClustersPanel,
  ),
  panel(
    "markers",
    markers,
    Table2,
    async () => (await import("../markers/markers-panel.tsx")).MarkersPanel,
    { isWide: true },
  ),
  panel(
    "geneSets",
    geneSets,
    ListChecks,
    async () => (await import("../gene-sets/gene-sets-panel.tsx")).GeneSetsPanel,
  ),
  panel(
    "plots",
    plots,
    ChartColumn,
    async () => (await import("../plots/plots-panel.tsx")).PlotsPanel,
  ),
  panel(
    "figures",
    figures,
    LayoutDashboard,
    async () => (await import("../composer/panel/composer-panel.tsx")).ComposerPanel,
    { isWide: true },
  ),
  panel(
    "annotations",
    annotations,
    NotebookPen,
    async () => (await import("../annotations/panel/annotations-panel.tsx")).AnnotationsPanel,
  ),
  panel(
    "share",
    share,
    Share2,
    async () => (await import("../sharing/share-panel.tsx")).SharePanel,
  ),
];

/** A panel whose code is loaded when it is first opened. */
function panel(
  id: string,
  label: string,
  icon: LucideIcon,
  load: () => Promise<ComponentType<PanelProps>>,
  look: Pick<Panel, "isWide"> = {},
): Panel {
  return { id, label, icon, Component: lazy(async () => ({ default: await load() })), ...look };
}
