import { bindItems } from "../annotations/bind-items.ts";
import type { AnnotationStore } from "../annotations/annotation-store.ts";
import type { Clustering } from "../state/clusterings.ts";
import type { ViewerStore } from "../state/viewer-store.ts";
import { withClusterings } from "./edit-clusterings.ts";
import { packedLabels, unpackedLabels } from "./packed-labels.ts";

/** Keeps a page's clusterings in the project. Those of an earlier analysis stay in the project, unseen. */
export function bindClusterings(
  store: ViewerStore,
  annotations: AnnotationStore,
  nCells: number,
): () => void {
  const texts = new WeakMap<Clustering["labels"], string>();
  return bindItems<"clusters", Clustering>(store, annotations, {
    kind: "clusters",
    part: "clusterings",
    listed: ({ clusterings }) => clusterings,
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
