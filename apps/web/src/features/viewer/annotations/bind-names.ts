import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { byGrouping } from "../state/own-edits.ts";
import type { ViewerState, ViewerStore } from "../state/viewer-store.ts";
import { writeLater } from "../state/write-later.ts";
import {
  changeAnnotations,
  type AnnotationState,
  type AnnotationStore,
} from "./annotation-store.ts";
import { changesOfEdits, editsOfItems, namedEdits } from "./names.ts";

/**
 * Keeps a page's names and colors of groups and the project's the same. What the project says counts; what an address,
 * a saved view, or this browser says about other groups becomes the project's if its owner opens it. Others may change
 * names on their own page.
 */
export function bindNames(
  store: ViewerStore,
  annotations: AnnotationStore,
  manifest: ViewerManifest,
): () => void {
  /** What the project said last, or was told. */
  let synced: ViewerState["edits"] | null = null;
  const write = (): void => {
    const { items, status, mayEdit } = annotations.getState();
    const { edits } = store.getState();
    if (status !== "ready" || !mayEdit || edits === synced) return;
    synced = edits;
    changeAnnotations(annotations, changesOfEdits(items, edits));
  };
  const bound = writeLater(store, ["edits"], write);

  const show = (state: AnnotationState, before?: AnnotationState): void => {
    if (state.status !== "ready") return;
    const starts = before?.status !== "ready" || state.mayEdit !== before?.mayEdit;
    if (!starts && state.items === before?.items) return;
    // What was just changed on the page and is still to be written is not overwritten.
    if (!starts) bound.flush();
    const { edits } = store.getState();
    const projectEdits = editsOfItems(annotations.getState().items);
    if (isSame(projectEdits, edits) && isSame(projectEdits, store.getState().projectEdits)) return;
    const own = starts || !state.mayEdit ? namedEdits(edits, manifest) : null;
    store.setState({
      projectEdits,
      edits: byGrouping((of) => ({ ...own?.[of], ...projectEdits[of] })),
    });
    if (own === null) synced = store.getState().edits;
  };
  const stop = annotations.subscribe(show);
  show(annotations.getState());
  return () => {
    stop();
    bound.stop();
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
