import type { ViewerManifest } from "@stipple/contract/routes/visualization";
import type { Verdict } from "@stipple/contract/verdict";
import { createContext, use, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Cells } from "../data/cells.ts";
import type { ViewerSource } from "../data/viewer-source.ts";
import type { ViewerState, ViewerStore } from "./viewer-store.ts";

/** One opened project: what never changes while its page is open once it is there, and the store of what does. */
export interface OpenViewer {
  source: ViewerSource;
  manifest: ViewerManifest;
  /** `NO_CELLS` until they are loaded: the tissue is shown before. */
  cells: Cells;
  projectId: string;
  projectName: string;
  /** A share link: can view but not save. */
  readOnly: boolean;
  /** What the results are worth; undefined if a version without verdicts made them. */
  verdict: Verdict | undefined;
  /** Until when this page's link opens, ISO 8601. */
  expiresAt: string;
  store: ViewerStore;
}

const ViewerContext = createContext<OpenViewer | null>(null);

export function ViewerProvider({ value, children }: { value: OpenViewer; children: ReactNode }) {
  return <ViewerContext value={value}>{children}</ViewerContext>;
}

export function useViewer(): OpenViewer {
  const viewer = use(ViewerContext);
  if (!viewer) throw new Error("useViewer is used outside of ViewerProvider.");
  return viewer;
}

/** A part of the state, kept current. `select` must give the same object for the same state. */
export function useViewerState<Part>(select: (state: ViewerState) => Part): Part {
  return useStore(useViewer().store, select);
}
