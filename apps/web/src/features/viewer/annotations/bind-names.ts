import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { isSameEdit } from "../state/own-edits.ts";
import type { ViewerState, ViewerStore } from "../state/viewer-store.ts";
import { writeDebounced } from "../state/write-debounced.ts";
import {
  annotationsOf,
  changeAnnotations,
  type AnnotationState,
  type AnnotationStore,
} from "./annotation-store.ts";
import { nameId, type AnnotationChange } from "@stipple/contract/annotations";
import { byGrouping, GROUPINGS } from "@stipple/viewer/choices";
import { groupsOf } from "../state/shown-groups.ts";
import type { GroupEdit, ShownState } from "../state/shown-state.ts";

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
  const bound = writeDebounced(store, ["edits"], write);

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

type Edits = ShownState["edits"];

/** The project's names and colors of groups, as edits of a page. */
function editsOfItems(items: AnnotationState["items"]): Edits {
  const names = annotationsOf(items, "name").map(({ value }) => value);
  return byGrouping((of) =>
    Object.fromEntries(
      names
        .filter((value) => value.of === of)
        .map(({ group, label, color }) => [
          group,
          { ...(label && { name: label }), ...(color && { color }) },
        ]),
    ),
  );
}

/** What the project must change so that its names and colors are those of a page. */
function changesOfEdits(items: AnnotationState["items"], edits: Edits): AnnotationChange[] {
  const kept = editsOfItems(items);
  // One's own clusterings have their names in themselves.
  const analyzed = GROUPINGS.filter((of) => of !== "own");
  return analyzed.flatMap((of) =>
    [...new Set([...Object.keys(kept[of]), ...Object.keys(edits[of])])]
      .filter((group) => !isSameEdit(kept[of][group], edits[of][group]))
      .map((group): AnnotationChange => {
        const { name, color }: GroupEdit = edits[of][group] ?? {};
        const value =
          name || color
            ? { of, group, ...(name && { label: name }), ...(color && { color }) }
            : null;
        return { id: nameId(of, group), kind: "name", value };
      }),
  );
}

/** Edits by original names: older links and saved views number the groups. */
function namedEdits(edits: Edits, manifest: ViewerManifest): Edits {
  return byGrouping((of) => {
    const groups = groupsOf(manifest, of);
    const names = new Set(groups.map(({ name }) => name));
    return Object.fromEntries(
      Object.entries(edits[of]).map(([group, edit]) => [
        names.has(group) ? group : (groups[Number(group)]?.name ?? group),
        edit,
      ]),
    );
  });
}
