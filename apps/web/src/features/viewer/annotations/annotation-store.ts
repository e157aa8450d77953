import type { Annotation, AnnotationChange, AnnotationKind } from "@stipple/contract/annotations";
import { createStore, type StoreApi } from "zustand/vanilla";
import { newId } from "./new-id.ts";

/** Changes that one request sends, and one undo takes back. */
export interface Batch {
  id: string;
  changes: readonly PendingChange[];
}

export type PendingChange = AnnotationChange & {
  /** The item's revision when it was changed; null: whatever it is after the requests before this one. */
  based: number | null;
};

/** What is still to be sent, in order. */
export type Request = Batch | "undo" | "redo";

/**
 * - `saving`: on its way; `waiting`: the server cannot be reached, or the session has ended; it is tried again.
 * - `conflict`: someone else changed the same items. `refused`: the server said why not (`problem`).
 */
export type Saving = "saved" | "saving" | "waiting" | "conflict" | "refused";

export interface AnnotationState {
  /** What the page shows: as saved, with what is still to be sent. */
  items: ReadonlyMap<string, Annotation>;
  /** `loading` until the server has answered; with `failed`, nothing is known of what is saved. */
  status: "loading" | "ready" | "failed";
  /** Whether to load the items again, because the server knows newer ones. */
  isStale: boolean;
  /** Whether this person may change them: the project's owner, signed in. */
  mayEdit: boolean;
  /** `cellsKey` of items whose cells are those of this view; null before it is known. */
  cells: string | null;
  canUndo: boolean;
  canRedo: boolean;
  saving: Saving;
  /** What is wrong, in a sentence; null if nothing is. */
  problem: string | null;
  saved: ReadonlyMap<string, Annotation>;
  revision: number;
  pending: readonly Request[];
}

export type AnnotationStore = StoreApi<AnnotationState>;

/** One per page. `sync.ts` loads the items and sends what is pending. */
export function annotationStore(): AnnotationStore {
  return createStore<AnnotationState>(() => ({
    items: new Map(),
    status: "loading",
    isStale: false,
    mayEdit: false,
    cells: null,
    canUndo: false,
    canRedo: false,
    saving: "saved",
    problem: null,
    saved: new Map(),
    revision: 0,
    pending: [],
  }));
}

/**
 * Changes items; null as a value deletes one. Shown at once and saved in the background; one undo takes all of them
 * back. Does nothing for those who may not change them.
 */
export function changeAnnotations(
  store: AnnotationStore,
  changes: readonly AnnotationChange[],
): void {
  const { mayEdit, pending, saved, status } = store.getState();
  if (!mayEdit || changes.length === 0) return;
  const isTouched = (id: string): boolean =>
    pending.some(
      (request) => typeof request === "string" || request.changes.some((one) => one.id === id),
    );
  const batch: Batch = {
    id: newId(),
    changes: changes.map((change) => ({
      ...change,
      based:
        status !== "ready" || isTouched(change.id) ? null : (saved.get(change.id)?.revision ?? 0),
    })),
  };
  store.setState((state) => withPending(state, [...state.pending, batch]));
}

export function undoAnnotations(store: AnnotationStore): void {
  const { mayEdit, canUndo, pending } = store.getState();
  if (mayEdit && (canUndo || pending.length > 0)) store.setState(enqueued("undo"));
}

export function redoAnnotations(store: AnnotationStore): void {
  const { mayEdit, canRedo, pending } = store.getState();
  if (mayEdit && (canRedo || pending.length > 0)) store.setState(enqueued("redo"));
}

function enqueued(request: "undo" | "redo") {
  return ({ pending }: AnnotationState): Partial<AnnotationState> => ({
    pending: [...pending, request],
  });
}

/** The state with other pending requests. */
export function withPending(
  { saved }: Pick<AnnotationState, "saved">,
  pending: readonly Request[],
): Pick<AnnotationState, "pending" | "items"> {
  const items = new Map(saved);
  const at = new Date().toISOString();
  for (const request of pending) {
    if (typeof request === "string") continue;
    for (const { based: _, ...change } of request.changes) {
      if (change.value === null) items.delete(change.id);
      else {
        const revision = saved.get(change.id)?.revision ?? 0;
        items.set(change.id, { author: null, at, revision, ...change } as Annotation);
      }
    }
  }
  return { pending, items };
}

/** The items of one kind. */
export function annotationsOf<Kind extends AnnotationKind>(
  items: AnnotationState["items"],
  kind: Kind,
): Extract<Annotation, { kind: Kind }>[] {
  return [...items.values()].filter(
    (item): item is Extract<Annotation, { kind: Kind }> => item.kind === kind,
  );
}
