import type { Annotation } from "@stipple/contract/annotations";
import { ApiError, errorText } from "../../../app/api.ts";
import type {
  AnnotationServer,
  ChangedAnnotations,
  LoadedAnnotations,
} from "./annotation-server.ts";
import {
  withPending,
  type AnnotationState,
  type AnnotationStore,
  type Batch,
  type PendingChange,
  type Request,
} from "./annotation-store.ts";
import { newId } from "./new-id.ts";
import type { Drafts } from "./drafts.ts";
import { inRequests } from "./requests.ts";
import { annotationTexts as texts } from "./texts.ts";

/** Pauses between tries while the server cannot be reached. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Loads the project's annotations into the store, then sends what is pending, one request at a time, until the returned
 * function is called. What is not sent by then is a draft, sent at the next opening. The browser asks before the page closes
 * with changes that are neither sent nor kept.
 */
export function syncAnnotations(
  store: AnnotationStore,
  server: AnnotationServer,
  drafts: Drafts,
): () => void {
  let stopped = false;
  let busy = false;
  let pauseMs = FIRST_PAUSE_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const later = (): void => {
    clearTimeout(retry);
    retry = setTimeout(() => void work(), pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  };

  async function work(): Promise<void> {
    if (busy || stopped) return;
    busy = true;
    try {
      const { status, isStale } = store.getState();
      if (status !== "ready" || isStale) store.setState(loaded(await server.load()));
      for (let next = nextOf(store); next !== undefined && !stopped; next = nextOf(store)) {
        const [first, ...others] = typeof next === "string" ? [next] : inRequests(next);
        const rest = store.getState().pending.slice(1);
        if (others.length > 0) store.setState({ pending: [first, ...others, ...rest] });
        store.setState({ saving: "saving", problem: null });
        await send(store, server, first);
        pauseMs = FIRST_PAUSE_MS;
      }
    } catch (error) {
      if (failed(store, error)) later();
    } finally {
      busy = false;
    }
    if (store.getState().saving === "saving") store.setState({ saving: "saved" });
  }

  let isSafe = true;
  const askBeforeLeaving = (event: Event): void => {
    if (!isSafe) event.preventDefault();
  };
  let takesDrafts = true;
  const onChange = (state: AnnotationState, before?: AnnotationState): void => {
    if (state.mayEdit && takesDrafts) {
      takesDrafts = false;
      const left = drafts.take();
      if (left.length > 0) store.setState((now) => withPending(now, [...left, ...now.pending]));
    }
    if (state.pending !== before?.pending) isSafe = drafts.keep(store.getState().pending);
    if (state.pending !== before?.pending || (state.isStale && !before?.isStale)) void work();
  };
  const unsubscribe = store.subscribe(onChange);
  onChange(store.getState());
  const online = (): void => void work();
  window.addEventListener("online", online);
  window.addEventListener("beforeunload", askBeforeLeaving);
  return () => {
    stopped = true;
    clearTimeout(retry);
    window.removeEventListener("online", online);
    window.removeEventListener("beforeunload", askBeforeLeaving);
    unsubscribe();
  };
}

/** Takes over items that the server changed: an undo, or a version that was restored. */
export function takeChanged(
  store: AnnotationStore,
  { changed, ...answer }: ChangedAnnotations,
): void {
  store.setState((state) => {
    const saved = new Map(state.saved);
    for (const { id, item } of changed) {
      if (item) saved.set(id, item);
      else saved.delete(id);
    }
    return standing(saved, state.pending, answer);
  });
}

/** Sends the page's own version of items that others have changed. */
export function keepMine(store: AnnotationStore): void {
  goOnWith(store, ({ pending }) => pending.map(rebased));
}

/** Drops the page's own changes of items that others have changed. */
export function takeTheirs(store: AnnotationStore): void {
  goOnWith(store, (state) => without(state.pending, conflictsOf(state)));
}

/** Drops the request that the server refused. */
export function discardRefused(store: AnnotationStore): void {
  goOnWith(store, ({ pending }) => pending.slice(1));
}

/** Goes on with other requests, once a person has decided. */
function goOnWith(store: AnnotationStore, next: (state: AnnotationState) => Request[]): void {
  store.setState((state) => ({
    ...withPending(state, next(state)),
    saving: "saved",
    problem: null,
  }));
}

/** The request to send now; none while the person must decide something. */
function nextOf(store: AnnotationStore): Request | undefined {
  const { pending, saving, mayEdit } = store.getState();
  return mayEdit && saving !== "conflict" && saving !== "refused" ? pending[0] : undefined;
}

async function send(
  store: AnnotationStore,
  server: AnnotationServer,
  request: Request,
): Promise<void> {
  try {
    if (typeof request === "string") {
      const answer = await server.step(request, store.getState().revision);
      store.setState(({ pending }) => ({ pending: pending.slice(1) }));
      takeChanged(store, answer);
      return;
    }
    const { saved: known } = store.getState();
    const answer = await server.change(request, (id) => known.get(id)?.revision ?? 0);
    store.setState((state) => {
      const items = withPending({ saved: state.saved }, [request]).items;
      const saved = new Map(state.saved);
      for (const { id } of request.changes) {
        const item = items.get(id);
        if (item) saved.set(id, { ...item, revision: answer.revision });
        else saved.delete(id);
      }
      return standing(saved, state.pending.slice(1), answer);
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "annotations_changed") throw error;
    const newest = await server.load();
    store.setState((state) => ({ ...loaded(newest)(state), ...settled(state, request, newest) }));
  }
}

/** After a refusal: what the person must decide, or nothing if the newest state is what was wanted. */
function settled(
  state: AnnotationState,
  request: Request,
  newest: LoadedAnnotations,
): Partial<AnnotationState> {
  const saved = byId(newest.items);
  if (typeof request === "string") {
    return { ...withPending({ saved }, state.pending.slice(1)), problem: texts.undoOutdated };
  }
  const same = request.changes
    .filter(({ id, value }) => isSame(saved.get(id)?.value ?? null, value))
    .map(({ id }) => id);
  const pending = without(state.pending, new Set(same));
  const conflicts = conflictsOf({ saved, pending });
  if (conflicts.size === 0 && newest.revision === state.revision) {
    // Refused although this page knew the newest state: trying again would change nothing.
    return { saving: "refused", problem: texts.refused };
  }
  return {
    ...withPending({ saved }, pending),
    ...(conflicts.size > 0
      ? { saving: "conflict", problem: texts.conflict(conflicts.size) }
      : { saving: "saving" }),
  };
}

function loaded({ items, cells, revision, can_undo, can_redo }: LoadedAnnotations) {
  return (state: AnnotationState): Partial<AnnotationState> => {
    const saved = byId(items);
    return {
      ...withPending({ saved }, state.pending),
      status: "ready",
      isStale: false,
      problem: null,
      saved,
      // The page's cells stay those that it shows, also once a run has found others.
      cells: state.cells ?? cells,
      revision,
      canUndo: can_undo,
      canRedo: can_redo,
    };
  };
}

/** The state with what the server answered. */
function standing(
  saved: ReadonlyMap<string, Annotation>,
  pending: readonly Request[],
  answer: { revision: number; can_undo: boolean; can_redo: boolean },
): Partial<AnnotationState> {
  return {
    ...withPending({ saved }, pending),
    saved,
    revision: answer.revision,
    canUndo: answer.can_undo,
    canRedo: answer.can_redo,
  };
}

/** Says what failed. Whether to try again. */
function failed(store: AnnotationStore, error: unknown): boolean {
  const { status, pending } = store.getState();
  const refusal =
    error instanceof ApiError && error.status < 500 && ![401, 408, 429].includes(error.status);
  if (status !== "ready") {
    store.setState({ status: "failed", problem: errorText(error, texts.notLoaded) });
  } else if (!refusal) store.setState({ saving: "waiting", problem: texts.waiting });
  else if (typeof pending[0] === "string") {
    store.setState({ pending: pending.slice(1), saving: "saved", problem: error.error });
  } else store.setState({ saving: "refused", problem: error.error });
  return !refusal;
}

/** Ids of pending changes that are based on another revision than what is saved. */
function conflictsOf({
  saved,
  pending,
}: Pick<AnnotationState, "saved" | "pending">): ReadonlySet<string> {
  const conflicts = new Set<string>();
  for (const { id, based } of changesIn(pending)) {
    if (based !== null && based !== (saved.get(id)?.revision ?? 0)) conflicts.add(id);
  }
  return conflicts;
}

function changesIn(pending: readonly Request[]): PendingChange[] {
  return pending.flatMap((request) => (typeof request === "string" ? [] : request.changes));
}

/** The requests without their changes of some items; undone steps of them stay. */
function without(pending: readonly Request[], ids: ReadonlySet<string>): Request[] {
  return pending.flatMap((request): Request[] => {
    if (typeof request === "string") return [request];
    const changes = request.changes.filter(({ id }) => !ids.has(id));
    if (changes.length === request.changes.length) return [request];
    // What is left is another request.
    return changes.length > 0 ? [{ id: newId(), changes }] : [];
  });
}

function rebased(request: Request): Request {
  if (typeof request === "string") return request;
  const changes = request.changes.map((change) => ({ ...change, based: null }));
  return { id: request.id, changes } satisfies Batch;
}

function byId(items: readonly Annotation[]): Map<string, Annotation> {
  return new Map(items.map((item) => [item.id, item]));
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
