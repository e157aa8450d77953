import { ChartColumn, Lasso, Scale, Share2, Table2 } from "lucide-react";
import { lazy } from "react";
import { viewerTexts } from "../texts.ts";
import { selectionTexts } from "../selection/texts.ts";
import type { Panel } from "./panel-rail.tsx";

const SharePanel = lazy(async () => ({
  default: (await import("../sharing/share-panel.tsx")).SharePanel,
}));

const SelectionPanel = lazy(async () => ({
  default: (await import("../selection/panel/selection-panel.tsx")).SelectionPanel,
}));

const PlotsPanel = lazy(async () => ({
  default: (await import("../plots/plots-panel.tsx")).PlotsPanel,
}));

const MarkersPanel = lazy(async () => ({
  default: (await import("../markers/markers-panel.tsx")).MarkersPanel,
}));

const DifferentialPanel = lazy(async () => ({
  default: (await import("../selection/differential/differential-panel.tsx")).DifferentialPanel,
}));

/**
 * The tools on the right side, from top to bottom. To add one, create a folder next to this one and add a line here.
 */
export const PANELS: readonly Panel[] = [
  {
    id: "selection",
    label: selectionTexts.panel.label,
    icon: Lasso,
    Component: SelectionPanel,
  },
  {
    id: "differential",
    label: selectionTexts.compare.label,
    icon: Scale,
    Component: DifferentialPanel,
  },
  {
    id: "markers",
    label: viewerTexts.panels.markers,
    icon: Table2,
    isWide: true,
    Component: MarkersPanel,
  },
  { id: "plots", label: viewerTexts.panels.plots, icon: ChartColumn, Component: PlotsPanel },
  { id: "share", label: viewerTexts.panels.share, icon: Share2, Component: SharePanel },
];
