import { Share2 } from "lucide-react";
import { lazy } from "react";
import { sharingTexts } from "../../../texts/viewer-sharing.ts";
import type { Panel } from "./panel-rail.tsx";

const SharePanel = lazy(async () => ({
  default: (await import("../sharing/share-panel.tsx")).SharePanel,
}));

/** The tools at the right side, from top to bottom. A new one = a folder beside this, and a line here. */
export const PANELS: readonly Panel[] = [
  { id: "share", label: sharingTexts.panel, icon: Share2, Component: SharePanel },
];
