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
} from "lucide-react";
import { lazyPart } from "../../../app/load-code.ts";
import type { Panel } from "./panel-rail.tsx";

/** The tools on the right side, from top to bottom: a new one is a folder and an entry here. */
export const PANELS: readonly Panel[] = [
  {
    id: "selection",
    icon: Lasso,
    Component: lazyPart(() => import("../selection/panel/selection-panel.tsx"), "SelectionPanel"),
  },
  {
    id: "regions",
    icon: Shapes,
    Component: lazyPart(() => import("../regions/panel/regions-panel.tsx"), "RegionsPanel"),
  },
  {
    id: "nuclei",
    icon: CircleDashed,
    Component: lazyPart(() => import("../nuclei/nuclei-panel.tsx"), "NucleiPanel"),
  },
  {
    id: "differential",
    icon: Scale,
    Component: lazyPart(
      () => import("../selection/differential/differential-panel.tsx"),
      "DifferentialPanel",
    ),
  },
  {
    id: "clusters",
    icon: Boxes,
    Component: lazyPart(() => import("../clusters/clusters-panel.tsx"), "ClustersPanel"),
  },
  {
    id: "markers",
    icon: Table2,
    isWide: true,
    Component: lazyPart(() => import("../markers/markers-panel.tsx"), "MarkersPanel"),
  },
  {
    id: "geneSets",
    icon: ListChecks,
    Component: lazyPart(() => import("../gene-sets/gene-sets-panel.tsx"), "GeneSetsPanel"),
  },
  {
    id: "plots",
    icon: ChartColumn,
    Component: lazyPart(() => import("../plots/plots-panel.tsx"), "PlotsPanel"),
  },
  {
    id: "figures",
    icon: LayoutDashboard,
    isWide: true,
    Component: lazyPart(() => import("../composer/panel/composer-panel.tsx"), "ComposerPanel"),
  },
  {
    id: "annotations",
    icon: NotebookPen,
    Component: lazyPart(
      () => import("../annotations/panel/annotations-panel.tsx"),
      "AnnotationsPanel",
    ),
  },
  {
    id: "share",
    icon: Share2,
    Component: lazyPart(() => import("../sharing/share-panel.tsx"), "SharePanel"),
  },
];
