import type { Verdict } from "@stipple/contract/verdict";
import { createContext, use, useMemo, type ReactNode } from "react";
import { useStore } from "zustand";
import type { HiddenGroups } from "@stipple/viewer/cells";
import type { Grouping } from "@stipple/viewer/choices";
import type { Cells, ViewSource } from "@stipple/viewer/source";
import type { AnnotationStore } from "../annotations/annotation-store.ts";
import type { ViewServer } from "../../../project/view/view-server.ts";
import { annotatedGroups } from "./annotated-groups.ts";
import { shownClustering, withOwnGroups } from "./clusterings.ts";
import { hiddenGroups, type GroupedManifest } from "./shown-groups.ts";
import type { ViewerState, ViewerStore } from "./viewer-store.ts";

/** An open project: data that does not change once loaded, and the store for state that does. */
export interface OpenViewer {
  /** What is drawn. */
  source: ViewSource;
  /** What is computed from it on request. */
  server: ViewServer;
  /** With merged and new groups as `regrouped` says; `source.manifest` is as the analysis wrote it. */
  manifest: GroupedManifest;
  /** `NO_CELLS` until loaded: the tissue is shown first. */
  cells: Cells;
  /** Groupings whose cells are not grouped as by the analysis. */
  regrouped: ReadonlySet<Grouping>;
  /** The groups as the analysis wrote them. */
  computed: Pick<OpenViewer, "manifest" | "cells">;
  /** Of the link that opened it. */
  token: string;
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
  /** What people added to the project. */
  annotations: AnnotationStore;
}

const ViewerContext = createContext<OpenViewer | null>(null);

/** Makes an open project available, with its groups as people annotated them and the clustering that is shown. */
export function ViewerProvider({
  value,
  children,
}: {
  value: Omit<OpenViewer, "regrouped" | "computed">;
  children: ReactNode;
}) {
  const { manifest, cells, store } = value;
  const edits = useStore(store, (state) => state.edits);
  const assigned = useStore(store, (state) => state.assigned);
  const shown = useStore(store, shownClustering);
  const annotated = useMemo(
    () => annotatedGroups(manifest, cells, { edits, assigned }),
    [manifest, cells, edits, assigned],
  );
  const grouped = useMemo(() => withOwnGroups(annotated, shown), [annotated, shown]);
  return (
    <ViewerContext value={{ ...value, ...annotated, ...grouped, computed: { manifest, cells } }}>
      {children}
    </ViewerContext>
  );
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

/** Indices of the hidden groups; the same object for the same groups. */
export function useHiddenGroups(): HiddenGroups {
  const { manifest } = useViewer();
  const hidden = useViewerState((state) => state.hidden);
  return useMemo(() => hiddenGroups(manifest, hidden), [manifest, hidden]);
}
