import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import type { Verdict } from "@stipple/contract/verdict";
import { createContext, use, type ReactNode } from "react";
import { useStore } from "zustand";
import type { Cells, ViewSource } from "@stipple/viewer/source";
import type { ViewServer } from "../data/view-server.ts";
import type { ViewerState, ViewerStore } from "./viewer-store.ts";

/** An open project: data that does not change once loaded, and the store for state that does. */
export interface OpenViewer {
  /** What is drawn. */
  source: ViewSource;
  /** What is computed from it on request. */
  server: ViewServer;
  manifest: ViewerManifest;
  /** `NO_CELLS` until loaded: the tissue is shown first. */
  cells: Cells;
  projectId: string;
  projectName: string;
  /** "Visium · H&E · Basic · November 26, 2026". */
  origin: string;
  /** Opened through a share link: can view but not save. */
  readOnly: boolean;
  /** Whether what is shown may be saved to files; not for results of a trial account. */
  mayExport: boolean;
  /** Assessment of the results' quality; undefined if they were made by a version without verdicts. */
  verdict: Verdict | undefined;
  /** When this page's link expires, ISO 8601. */
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

/** Subscribes to a part of the state. `select` must return the same object for the same state. */
export function useViewerState<Part>(select: (state: ViewerState) => Part): Part {
  return useStore(useViewer().store, select);
}
