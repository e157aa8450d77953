import type { AnnotationChange, AnnotationOf } from "@stipple/contract/annotations";
import { sameCells, type CellSet, type Criterion } from "@stipple/viewer/cells";
import { cellsOfText, packedCells } from "../selection/groups-json.ts";
import type { AssignedCells, NamedGroup, ViewerStore } from "../state/viewer-store.ts";
import { writeLater } from "../state/write-later.ts";
import {
  annotationsOf,
  changeAnnotations,
  type AnnotationState,
  type AnnotationStore,
} from "./annotation-store.ts";
import { newId } from "./new-id.ts";

type GroupItem = AnnotationOf<"group">;
type KeptGroup = NamedGroup & { annotation: string };

/**
 * Keeps a page's named groups and the project's the same, and shows the cells whose type a person set. What a page has
 * of its own becomes the project's if its owner opens it. Groups of another analysis stay in the project, unseen.
 */
export function bindGroups(
  store: ViewerStore,
  annotations: AnnotationStore,
  nCells: number,
): () => void {
  /** The page's groups that are as the project has them, by annotation. */
  let synced = new Map<string, NamedGroup>();
  /** Annotations on their way to the project. */
  const leaving = new Set<string>();
  const cellsOf = decoder(nCells);
  let turn = 0;

  const write = async (): Promise<void> => {
    const { status, mayEdit, cells: cellsKey } = annotations.getState();
    if (status !== "ready" || !mayEdit || cellsKey === null) return;
    const groups = withIds(store.getState().groups);
    const changed = groups.filter((group) => synced.get(group.annotation) !== group);
    const gone = [...synced.keys()].filter(
      (id) => !groups.some(({ annotation }) => annotation === id),
    );
    if (groups.length < store.getState().groups.length) store.setState({ groups });
    if (changed.length + gone.length === 0) return;
    synced = new Map(groups.map((group) => [group.annotation, group]));
    changed.forEach(({ annotation }) => leaving.add(annotation));
    store.setState({ groups });
    const changes = await Promise.all(changed.map((group) => changeTo(group, cellsKey)));
    changed.forEach(({ annotation }) => leaving.delete(annotation));
    changeAnnotations(annotations, [
      ...changes,
      ...gone.map((id): AnnotationChange => ({ id, kind: "group", value: null })),
    ]);
  };
  const bound = writeLater(store, ["groups"], () => void write());

  const show = async (state: AnnotationState, before?: AnnotationState): Promise<void> => {
    if (state.status !== "ready" || (state.items === before?.items && before.status === "ready"))
      return;
    const mine = ++turn;
    if (before?.status === "ready") bound.flush();
    const items = annotationsOf(annotations.getState().items, "group").filter(
      ({ value }) => value.cellsKey === state.cells,
    );
    const read = await Promise.all(
      items.map(async (item) => ({ item, cells: await cellsOf(item) })),
    );
    // A later state has superseded this one.
    if (mine !== turn) return;
    const known = read.flatMap(({ item, cells }) => (cells ? [{ item, cells }] : []));
    const named = known.filter(({ item }) => item.value.assigned === null);
    const { groups, assigned } = store.getState();
    const next = merged(groups, named, leaving);
    synced = new Map(
      next
        .filter(isKept)
        .filter(({ annotation }) => !leaving.has(annotation))
        .map((group) => [group.annotation, group]),
    );
    const nextAssigned = known.flatMap(({ item, cells }) => assignedOf(item, cells));
    if (!isSameList(next, groups)) store.setState({ groups: next });
    if (!isSameAssigned(nextAssigned, assigned)) store.setState({ assigned: nextAssigned });
    // Groups that only this page had are still to be written.
    if (before?.status !== "ready") void write();
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

async function changeTo(
  { annotation, name, color, cells }: KeptGroup,
  cellsKey: string,
): Promise<AnnotationChange> {
  const { chosenBy } = cells;
  const value = {
    name,
    color,
    cells: await packedCells(cells),
    ...(chosenBy && { chosenBy: [...chosenBy] }),
    assigned: null,
    cellsKey,
  };
  return { id: annotation, kind: "group", value };
}

/** The page's groups, each with an annotation; one that the project has already is not added again. */
function withIds(groups: readonly NamedGroup[]): KeptGroup[] {
  const kept = groups.filter(isKept);
  return groups.flatMap((group) => {
    if (isKept(group)) return [group];
    const isKnown = kept.some(
      ({ name, cells }) => name === group.name && sameCells(cells, group.cells),
    );
    return isKnown ? [] : [{ ...group, annotation: newId() }];
  });
}

function isKept(group: NamedGroup): group is KeptGroup {
  return group.annotation !== undefined;
}

/** The page's groups, with what the project says of each; those that it no longer has are gone. */
function merged(
  groups: readonly NamedGroup[],
  named: readonly { item: GroupItem; cells: CellSet }[],
  leaving: ReadonlySet<string>,
): NamedGroup[] {
  const rest = new Map(named.map((one) => [one.item.id, one]));
  const kept = groups.flatMap((group): NamedGroup[] => {
    const { annotation } = group;
    if (annotation === undefined || leaving.has(annotation)) {
      rest.delete(annotation ?? "");
      return [group];
    }
    const one = rest.get(annotation);
    rest.delete(annotation);
    if (!one) return [];
    const { name, color } = one.item.value;
    const isSame =
      group.name === name && group.color === color && sameCells(group.cells, one.cells);
    return [isSame ? group : { ...group, name, color, cells: one.cells }];
  });
  let last = Math.max(0, ...kept.map(({ id }) => id));
  for (const { item, cells } of rest.values()) {
    const { name, color } = item.value;
    kept.push({ id: ++last, annotation: item.id, name, color, cells });
  }
  return kept;
}

function assignedOf({ id, value }: GroupItem, cells: CellSet): AssignedCells[] {
  const { assigned, color } = value;
  return assigned === null ? [] : [{ annotation: id, type: assigned, color, cells }];
}

function isSameAssigned(a: readonly AssignedCells[], b: readonly AssignedCells[]): boolean {
  return isSameList(
    a.flatMap(({ annotation, type, color, cells }) => [annotation, type, color, cells]),
    b.flatMap(({ annotation, type, color, cells }) => [annotation, type, color, cells]),
  );
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

/** Reads the cells of items, each once; null for what cannot be read. */
function decoder(nCells: number): (item: GroupItem) => Promise<CellSet | null> {
  const known = new Map<string, Promise<CellSet | null>>();
  return ({ value }) => {
    const { cells: text, chosenBy } = value;
    const found = known.get(text);
    if (found) return found;
    const read = cellsOfText(text, nCells).then(
      (cells) => ({ ...cells, ...(chosenBy && { chosenBy: chosenBy as Criterion[] }) }),
      () => null,
    );
    known.set(text, read);
    return read;
  };
}
