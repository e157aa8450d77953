import { useEffect } from "react";
import { useStore } from "zustand";
import { NO_CELLS } from "@stipple/viewer/source";
import { loadCode } from "../../../app/load-code.ts";
import { useOwnership } from "../sharing/use-ownership.ts";
import { useViewer } from "../state/viewer-context.tsx";
import type { AnnotationState } from "./annotation-store.ts";

/** Subscribes to a part of the project's annotations. `select` must return the same object for the same state. */
export function useAnnotations<Part>(select: (state: AnnotationState) => Part): Part {
  return useStore(useViewer().annotations, select);
}

/** Keeps what people add to the project and to their own view. The code is loaded once the cells are drawn. */
export function useKeeping(): void {
  const { annotations, cells, store, token, source, projectId, readOnly } = useViewer();
  const { role } = useOwnership();
  const mayEdit = role === "owner";
  const ready = cells !== NO_CELLS;
  useEffect(() => annotations.setState({ mayEdit }), [annotations, mayEdit]);
  useEffect(() => {
    if (!ready) return;
    let isGone = false;
    let stop = (): void => undefined;
    const start = async (): Promise<void> => {
      const { startKeeping } = await loadCode(() => import("./start-keeping.ts"));
      if (isGone) return;
      stop = startKeeping({ annotations, store, token, source, projectId, readOnly });
    };
    void start();
    return () => {
      isGone = true;
      stop();
    };
  }, [ready, annotations, store, token, source, projectId, readOnly]);
}
