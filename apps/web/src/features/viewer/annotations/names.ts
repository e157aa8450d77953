import { nameId, type AnnotationChange } from "@stipple/contract/annotations";
import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { GROUPINGS } from "@stipple/viewer/choices";
import { byGrouping, isSameEdit } from "../state/own-edits.ts";
import { groupsOf } from "../state/shown-groups.ts";
import type { GroupEdit, ShownState } from "../state/shown-state.ts";
import { annotationsOf, type AnnotationState } from "./annotation-store.ts";

type Edits = ShownState["edits"];

/** The project's names and colors of groups, as edits of a page. */
export function editsOfItems(items: AnnotationState["items"]): Edits {
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
export function changesOfEdits(items: AnnotationState["items"], edits: Edits): AnnotationChange[] {
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
export function namedEdits(edits: Edits, manifest: ViewerManifest): Edits {
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
