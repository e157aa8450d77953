import type {
  AnnotationChange,
  AnnotationKind,
  AnnotationOf,
  AnnotationValue,
} from "@stipple/contract/annotations";
import type { ViewerState, ViewerStore } from "../state/viewer-store.ts";
import { writeDebounced } from "../state/write-debounced.ts";
import {
  annotationsOf,
  changeAnnotations,
  type AnnotationState,
  type AnnotationStore,
} from "./annotation-store.ts";

/** Lists of the page that are annotations. */
type ListName = "groups" | "assigned" | "clusterings" | "geneLists";

/** A list of the page whose items are annotations of one kind. */
export interface BoundList<
  Kind extends AnnotationKind,
  Name extends ListName,
  Item = ViewerState[Name][number],
> {
  kind: Kind;
  name: Name;
  /** The state with these items, if it is more than the list. */
  taken?(items: readonly Item[]): Partial<ViewerState>;
  /** `cellsKey`: what cell indices refer to. */
  valueOf(item: Item, cellsKey: string): Promise<AnnotationValue<Kind>>;
  /** Null for what cannot be read, or is of other cells; `before`: the page's item with this id. */
  itemOf(
    annotation: AnnotationOf<Kind>,
    cellsKey: string,
    before: Item | undefined,
  ): Promise<Item | null>;
  /** Whether an item that only the page has is one of the project's. */
  isSame?(item: Item, other: Item): boolean;
}

/**
 * Keeps a list of a page and the project's annotations of a kind the same. What a page made before its owner could change
 * the project becomes the project's; what others make stays on their page.
 */
export function bindItems<Kind extends AnnotationKind, Name extends ListName>(
  store: ViewerStore,
  annotations: AnnotationStore,
  list: BoundList<Kind, Name>,
): () => void {
  type Item = ViewerState[Name][number];
  const listed = (): readonly Item[] => store.getState()[list.name];
  /** The page's items that are as the project has them. */
  let synced = new Map<string, Item>();
  /** Items on their way to the project. */
  const leaving = new Set<string>();
  const read = new WeakMap<object, Item>();
  let turn = 0;

  const write = async (): Promise<void> => {
    const { status, mayEdit, cells: cellsKey } = annotations.getState();
    if (status !== "ready" || !mayEdit || cellsKey === null) return;
    const items = listed();
    const changed = items.filter((item) => synced.get(item.id) !== item);
    const gone = [...synced.keys()].filter((id) => !items.some((item) => item.id === id));
    if (changed.length + gone.length === 0) return;
    synced = new Map(items.map((item) => [item.id, item]));
    changed.forEach(({ id }) => leaving.add(id));
    const changes = await Promise.all(
      changed.map(async (item) => {
        const value = await list.valueOf(item, cellsKey);
        read.set(value, item);
        return { id: item.id, kind: list.kind, value } as AnnotationChange;
      }),
    );
    changed.forEach(({ id }) => leaving.delete(id));
    const removed = gone.map((id) => ({ id, kind: list.kind, value: null }) as AnnotationChange);
    changeAnnotations(annotations, [...changes, ...removed]);
  };
  const bound = writeDebounced(store, [list.name], () => void write());

  const show = async (state: AnnotationState, before?: AnnotationState): Promise<void> => {
    if (state.status !== "ready" || state.cells === null) return;
    if (state.items === before?.items && before.status === "ready") return;
    const mine = ++turn;
    if (before?.status === "ready") bound.flush();
    const cellsKey = state.cells;
    const all = annotations.getState().items;
    const known = annotationsOf(all, list.kind) as unknown as AnnotationOf<Kind>[];
    const items = await Promise.all(
      known.map(async (annotation) => {
        const { id, value } = annotation as { id: string; value: object };
        const page = listed().find((item) => item.id === id);
        const item = read.get(value) ?? (await list.itemOf(annotation, cellsKey, page));
        if (item) read.set(value, item);
        return item;
      }),
    );
    // A later state has superseded this one.
    if (mine !== turn) return;
    take(items.filter((item) => item !== null));
    if (before?.status !== "ready") void write();
  };

  const take = (found: readonly Item[]): void => {
    const page = listed();
    const next = mergedItems(page, found, { ...list, leaving, synced });
    const beingWritten = [...synced].filter(([id]) => leaving.has(id));
    synced = new Map([...found.map((item) => [item.id, item] as const), ...beingWritten]);
    if (next.length !== page.length || next.some((item, at) => item !== page[at])) {
      store.setState(list.taken?.(next) ?? { [list.name]: next });
    }
  };

  const stop = annotations.subscribe((state, before) => {
    void show(state, before);
    if (state.mayEdit && !before.mayEdit) void write();
  });
  void show(annotations.getState());
  return () => {
    stop();
    bound.stop();
  };
}

/**
 * A page's items as the project has them, then those that only the project has. What the page changed, made, or removed
 * since the project knew it stays so.
 */
function mergedItems<Item extends { id: string }>(
  page: readonly Item[],
  found: readonly Item[],
  {
    leaving,
    synced,
    isSame = () => false,
  }: {
    leaving: ReadonlySet<string>;
    synced: ReadonlyMap<string, Item>;
    isSame?(item: Item, other: Item): boolean;
  },
): Item[] {
  const ofProject = new Map(found.map((item) => [item.id, item]));
  const kept = page.flatMap((item): Item[] => {
    const isChanged = leaving.has(item.id) || synced.get(item.id) !== item;
    const saved = ofProject.get(item.id);
    if (!isChanged) return saved ? [saved] : [];
    const isThere = !synced.has(item.id) && !saved && found.some((other) => isSame(item, other));
    return isThere ? [] : [item];
  });
  const known = new Set([...page.map(({ id }) => id), ...synced.keys()]);
  return [...kept, ...found.filter(({ id }) => !known.has(id))];
}
