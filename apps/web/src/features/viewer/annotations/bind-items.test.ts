import type { Annotation } from "@stipple/contract/annotations";
import { expect, it } from "vitest";
import { bindClusterings, bindGeneLists } from "./start-keeping.ts";
import { packedLabels } from "../clusters/packed-labels.ts";
import { viewerStore } from "../state/viewer-store.ts";
import { annotationsOf, annotationStore, changeAnnotations } from "./annotation-store.ts";

const CELLS = "these cells";
const of = (...labels: number[]) => Uint16Array.from(labels);
const clustering = (id: string, labels: Uint16Array<ArrayBuffer>) => ({
  id,
  name: `Clusters ${id}`,
  settings: { resolution: 1 },
  groups: [{ name: "1", color: "#112233" }],
  labels,
});

/** What the server has, as a page reads it. */
async function saved(id: string, labels: Uint16Array<ArrayBuffer>, cellsKey = CELLS) {
  const { id: _, ...value } = clustering(id, labels);
  const kept = { ...value, labels: await packedLabels(labels), cellsKey };
  const item = { id, kind: "clusters", value: kept, revision: 1, author: null, at: "" };
  return [id, item as Annotation] as const;
}
const ready = { status: "ready", mayEdit: true, cells: CELLS } as const;

it("shows the project's clusterings of these cells, and keeps what the page makes and changes", async () => {
  const [store, annotations] = [viewerStore(), annotationStore()];
  const stop = bindClusterings(store, annotations, 3);
  const own = clustering("own", of(0, 0, 0));
  store.setState({ clusterings: [own] });
  const items = new Map([
    await saved("kept", of(0, 65_535, 0)),
    await saved("older", of(0, 0, 0), "other cells"),
    await saved("longer", of(0, 0, 0, 0)),
  ]);
  annotations.setState({ ...ready, items, saved: items });
  const ids = () => store.getState().clusterings.map(({ id }) => id);
  await expect.poll(ids).toEqual(["own", "kept"]);
  const [mine, kept] = store.getState().clusterings;
  expect(mine).toBe(own);
  expect([...kept!.labels]).toEqual([0, 65_535, 0]);
  const clusters = () => annotationsOf(annotations.getState().items, "clusters");
  await expect.poll(() => clusters().map(({ id }) => id)).toContain("own");

  store.setState({ clusterings: [own, { ...kept!, name: "Renamed" }] });
  await expect.poll(() => clusters().find(({ id }) => id === "kept")?.value.name).toBe("Renamed");
  // What comes back is the page's own: nothing is decoded or drawn anew.
  await expect.poll(() => store.getState().clusterings[1]?.name).toBe("Renamed");
  expect(store.getState().clusterings[1]?.labels).toBe(kept!.labels);

  store.setState({ clusterings: [own] });
  await expect.poll(() => clusters().map(({ id }) => id)).not.toContain("kept");
  // Undone elsewhere, it is shown again.
  changeAnnotations(annotations, [
    { id: "kept", kind: "clusters", value: (await saved("kept", of(0, 0, 0)))[1].value as never },
  ]);
  await expect.poll(ids).toEqual(["own", "kept"]);
  stop();
});

it("keeps lists of genes, also those made before the page knew its owner", async () => {
  const [store, annotations] = [viewerStore(), annotationStore()];
  const stop = bindGeneLists(store, annotations);
  store.setState({ geneLists: [{ id: "a", name: "Mine", genes: ["CD3E"] }] });
  annotations.setState({ ...ready, mayEdit: false });
  const names = () =>
    annotationsOf(annotations.getState().items, "genes").map(({ value }) => value.name);
  annotations.setState({ mayEdit: true });
  await expect.poll(names).toEqual(["Mine"]);
  changeAnnotations(annotations, [{ id: "a", kind: "genes", value: null }]);
  await expect.poll(() => store.getState().geneLists).toEqual([]);
  expect(names()).toEqual([]);
  stop();
});

it("leaves a guest's lists on the guest's page", async () => {
  const [store, annotations] = [viewerStore(), annotationStore()];
  const stop = bindGeneLists(store, annotations);
  annotations.setState({ ...ready, mayEdit: false });
  const list = { id: "a", name: "Mine", genes: ["CD3E"] };
  store.setState({ geneLists: [list] });
  stop();
  await Promise.resolve();
  expect(annotations.getState().pending).toEqual([]);
  expect(store.getState().geneLists).toEqual([list]);
});
