import { describe, expect, it } from "vitest";
import { editedClusterings, NO_GROUP, sizesOf, type Clustering } from "../state/clusterings.ts";
import { editGroup, viewerStore } from "../state/viewer-store.ts";
import { agreementOf } from "./agreement.ts";
import {
  addClustering,
  changeClustering,
  divided,
  merged,
  removeClustering,
  withClusterings,
} from "./edit-clusterings.ts";
import { uniqueName } from "../state/free-names.ts";
import { packedLabels, unpackedLabels } from "./packed-labels.ts";

const clustering: Clustering = {
  id: "a",
  name: "All cells",
  settings: {},
  groups: ["1", "2", "3"].map((name, at) => ({ name, color: `#00000${at}` })),
  labels: Uint16Array.of(0, 0, 1, 2, 2, NO_GROUP),
};

describe("a clustering", () => {
  it("has groups merged into the first of them", () => {
    const joined = merged(clustering, [2, 0]);
    expect(joined.groups).toEqual([{ name: "1 + 3", color: "#000000" }, clustering.groups[1]]);
    expect([...joined.labels]).toEqual([0, 0, 1, 0, 0, NO_GROUP]);
    expect(merged(clustering, [1])).toBe(clustering);
  });

  it("has a group divided; its cells without a cluster stay together", () => {
    const labels = Uint16Array.of(NO_GROUP, NO_GROUP, NO_GROUP, 1, 0, NO_GROUP);
    const parts = divided(clustering, 2, { labels, colors: ["#000000", "#0000ff"] });
    expect(parts.groups.map(({ name }) => name)).toEqual(["1", "2", "3.1", "3.2"]);
    expect([...parts.labels]).toEqual([0, 0, 1, 3, 2, NO_GROUP]);
    expect(new Set(parts.groups.map(({ color }) => color)).size).toBe(4);
    const few = Uint16Array.of(1, NO_GROUP, 0, 0, 0, 0);
    const withRest = divided(clustering, 0, { labels: few, colors: ["#0000ff", "#00ff00"] });
    expect(withRest.groups.map(({ name }) => name)).toEqual(["1.1", "1.2", "1", "2", "3"]);
    expect([...withRest.labels]).toEqual([1, 2, 3, 4, 4, NO_GROUP]);
    expect(sizesOf(withRest)).toEqual([0, 1, 1, 1, 2]);
  });

  it("is shown when made, and its groups are renamed like others", () => {
    const store = viewerStore();
    addClustering(store, clustering);
    expect(store.getState()).toMatchObject({ colorBy: "own", clustering: "a" });
    editGroup(store, "own", "2", { name: " Tumor ", color: "#ff0000" });
    editGroup(store, "own", "3", { name: "Tumor" });
    editGroup(store, "own", "3", { name: "" });
    const [{ groups, labels }] = store.getState().clusterings as [Clustering];
    expect(groups.map(({ name }) => name)).toEqual(["1", "Tumor", "3"]);
    expect(groups[1]!.color).toBe("#ff0000");
    expect(labels).toBe(clustering.labels);
    const none = { clusterings: [], clustering: null, hidden: store.getState().hidden };
    expect(editedClusterings(none, "1", {}).clusterings).toEqual([]);
  });

  it("hides no group once its groups are others, and leaves a coloring when deleted", () => {
    const store = viewerStore();
    addClustering(store, clustering);
    store.setState(({ hidden }) => ({ hidden: { ...hidden, own: ["2"] } }));
    changeClustering(store, { ...clustering, name: "Renamed" });
    expect(store.getState().hidden.own).toEqual(["2"]);
    editGroup(store, "own", "2", { name: "Tumor" });
    expect(store.getState().hidden.own).toEqual(["Tumor"]);
    changeClustering(store, merged(clustering, [0, 1]));
    expect(store.getState().hidden.own).toEqual([]);
    removeClustering(store, "a");
    expect(store.getState()).toMatchObject({ colorBy: "cluster", clusterings: [] });
  });

  it("that others removed hides no group of the next one, and leaves a coloring", () => {
    const store = viewerStore();
    addClustering(store, { ...clustering, id: "b" });
    addClustering(store, clustering);
    store.setState(({ hidden }) => ({ hidden: { ...hidden, own: ["2"] } }));
    const [b, a] = store.getState().clusterings as [Clustering, Clustering];
    expect(withClusterings(store.getState(), [a]).hidden).toBeUndefined();
    expect(withClusterings(store.getState(), [b]).hidden?.own).toEqual([]);
    expect(withClusterings(store.getState(), [b]).colorBy).toBeUndefined();
    expect(withClusterings(store.getState(), []).colorBy).toBe("cluster");
    // Those of an address are not loaded yet.
    const opened = viewerStore({ colorBy: "own", clustering: "a" });
    expect(withClusterings(opened.getState(), [a])).toEqual({ clusterings: [a] });
  });

  it("has a name of its own", () => {
    expect(uniqueName("B", new Set(["A"]))).toBe("B");
    expect(uniqueName("A", new Set(["A", "A (2)"]))).toBe("A (3)");
    expect(uniqueName("x".repeat(90), new Set(["x".repeat(80)]))).toHaveLength(80);
  });

  it("is packed without loss, and only for as many cells", async () => {
    const text = await packedLabels(clustering.labels);
    expect(await unpackedLabels(text, 6)).toEqual(clustering.labels);
    await expect(unpackedLabels(text, 5)).rejects.toThrow();
    await expect(unpackedLabels(text, 7)).rejects.toThrow();
  });
});

describe("agreement of two groupings", () => {
  const of = (...column: number[]) => ({ column, groups: 1 + Math.max(...column) });

  it("has the adjusted Rand index of Hubert and Arabie", () => {
    expect(agreementOf(of(0, 0, 1, 1), of(1, 1, 0, 0)).adjustedRand).toBe(1);
    expect(agreementOf(of(0, 0, 1, 1), of(0, 1, 0, 1)).adjustedRand).toBeCloseTo(-0.5, 12);
    // scikit-learn 1.9.1: adjusted_rand_score([0, 0, 1, 2], [0, 0, 1, 1])
    expect(agreementOf(of(0, 0, 1, 2), of(0, 0, 1, 1)).adjustedRand).toBeCloseTo(4 / 7, 12);
    expect(agreementOf(of(0, 0), of(0, 0)).adjustedRand).toBe(1);
  });

  it("counts only cells in a group of both", () => {
    const first = { column: [0, 0, 1, NO_GROUP], groups: 2 };
    const second = { column: [0, 1, 1, 1], groups: 2 };
    expect(agreementOf(first, second)).toMatchObject({
      cells: 3,
      table: [
        [1, 1],
        [0, 1],
      ],
    });
    const none = { column: [NO_GROUP], groups: 1 };
    expect(agreementOf(none, none).adjustedRand).toBeNaN();
  });
});
