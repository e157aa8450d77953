import type { OpenViewer } from "../state/viewer-context.tsx";
import { annotationServer } from "./annotation-server.ts";
import { bindAssigned, bindGroups } from "./bind-groups.ts";
import { bindNames } from "./bind-names.ts";
import { openDrafts } from "./drafts.ts";
import { syncAnnotations } from "./sync.ts";
import { bindItems } from "./bind-items.ts";
import type { AnnotationStore } from "./annotation-store.ts";
import type { ViewerStore } from "../state/viewer-store.ts";
import type { Clustering } from "../state/clusterings.ts";
import { withClusterings } from "../clusters/edit-clusterings.ts";
import { packedLabels, unpackedLabels } from "../clusters/packed-labels.ts";
import { keepWork } from "../selection/kept-work.ts";
import { keepLooks } from "../state/kept-looks.ts";

/**
 * Connects a page's annotations to the server, to this browser's drafts, and to what the page shows. Its groups and
 * selection are kept in its tab, its names and colors in this browser, separately for the owner's link and share links.
 */
export function startKeeping({
  annotations,
  store,
  token,
  projectId,
  readOnly,
  source: { manifest },
}: Pick<
  OpenViewer,
  "annotations" | "store" | "token" | "projectId" | "readOnly" | "source"
>): () => void {
  const drafts = openDrafts(projectId, () => localStorage);
  const own = `${projectId}.${readOnly ? "guest" : "owner"}`;
  const stops = [
    keepLooks(store, manifest, `stipple.looks.${own}`, () => localStorage),
    keepWork(store, annotations, manifest, `stipple.view.${own}`, () => sessionStorage),
    bindNames(store, annotations, manifest),
    bindGroups(store, annotations, manifest.nCells),
    bindAssigned(store, annotations, manifest.nCells),
    bindClusterings(store, annotations, manifest.nCells),
    bindGeneLists(store, annotations),
    // Last, so that changes made while this ends are kept.
    syncAnnotations(annotations, annotationServer(token, projectId), drafts),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Keeps a page's gene lists in the project. */
export function bindGeneLists(store: ViewerStore, annotations: AnnotationStore): () => void {
  return bindItems<"genes", "geneLists">(store, annotations, {
    kind: "genes",
    name: "geneLists",
    valueOf: ({ name, genes }) => Promise.resolve({ name, genes: [...genes] }),
    itemOf: ({ id, value: { name, genes } }) => Promise.resolve({ id, name, genes }),
  });
}

/** Keeps a page's clusterings in the project. Those of an earlier analysis stay in the project, unseen. */
export function bindClusterings(
  store: ViewerStore,
  annotations: AnnotationStore,
  nCells: number,
): () => void {
  const texts = new WeakMap<Clustering["labels"], string>();
  return bindItems<"clusters", "clusterings">(store, annotations, {
    kind: "clusters",
    name: "clusterings",
    taken: (clusterings) => withClusterings(store.getState(), clusterings),
    async valueOf({ name, settings, groups, labels }, cellsKey) {
      const text = texts.get(labels) ?? (await packedLabels(labels));
      texts.set(labels, text);
      return { name, settings: { ...settings }, groups: [...groups], labels: text, cellsKey };
    },
    async itemOf({ id, value }, cellsKey, before) {
      if (value.cellsKey !== cellsKey) return null;
      const { name, settings, groups, labels: text } = value;
      const isSame = before && texts.get(before.labels) === text;
      const labels = isSame ? before.labels : await unpackedLabels(text, nCells).catch(() => null);
      if (!labels) return null;
      texts.set(labels, text);
      return { id, name, settings, groups, labels };
    },
  });
}
