import { stepFolder } from "@stipple/contract";
import { FIELDS, type FieldKey } from "./fields.ts";
import { storedParts } from "./views.ts";
import { fieldFiles } from "./store/field-store.ts";

/** The step that writes what the interactive view shows. */
export const VIEWER_STEP = FIELDS["sample/view"].step;
/** Its folder there, relative to the results. */
export const VIEWER_FOLDER = `${stepFolder(VIEWER_STEP)}/viewer`;

/** Fields from which the view's values are computed, in addition to its own files. */
const COMPUTED_FROM: readonly FieldKey[] = storedParts([
  "cells/rate",
  "cells/X_pca",
  "cells/features",
  "features/name",
  "genes/spots",
  "spots/cells",
  "spots/xy",
  "sample/scale",
]);

/** The folders below which {@link viewedFiles} lie, relative to the results. */
export const VIEWED_FOLDERS = [
  VIEWER_FOLDER,
  ...new Set(COMPUTED_FROM.map((key) => stepFolder(FIELDS[key].step))),
];

/** Which published files must be on the disk for `openViewer` to compute: not the picture's tiles. */
export function viewedFiles<T extends { path: string }>(files: readonly T[]): T[] {
  const own = files.filter(({ path }) => {
    const inside = path.startsWith(`${VIEWER_FOLDER}/`) && path.slice(VIEWER_FOLDER.length + 1);
    return inside && !inside.includes("/");
  });
  return [...own, ...COMPUTED_FROM.flatMap((key) => fieldFiles(key, files))];
}
