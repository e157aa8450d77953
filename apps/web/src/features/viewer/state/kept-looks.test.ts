import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { expect, it } from "vitest";
import { channelChoices, chosenChannels } from "@stipple/viewer/source";
import { keepLooks } from "./kept-looks.ts";
import { shownGroups } from "./shown-groups.ts";
import { shownOfUrl } from "./url-state.ts";
import { editGroup, viewerStore } from "./viewer-store.ts";

function manifestWith(types: string[]): ViewerManifest {
  const group = (name: string) => ({ name, color: "#000000", count: 1 });
  const channel = (name: string) => ({ name, color: "#00ff00", low: 0, high: 9 });
  return {
    types: types.map(group),
    clusters: ["0", "1"].map(group),
    domains: [],
    channels: { path: "c", dtype: "uint8", channels: ["DAPI", "Channel 2"].map(channel) },
  } as unknown as ViewerManifest;
}

function storage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  };
}

it("restores names and colors in another page, after a rerun that orders the types otherwise", () => {
  const items = storage();
  const before = manifestWith(["T cell", "B cell"]);
  const store = viewerStore();
  const stop = keepLooks(store, before, "k", () => items);
  editGroup(store, "type", "B cell", { name: "Follicle", color: "#123456" });
  const [dapi, second] = channelChoices(before, null);
  store.setState({
    channels: chosenChannels(before, [dapi!, { ...second!, name: "CD20", visible: false }]),
  });
  stop();

  const after = manifestWith(["B cell", "Neuron", "T cell"]);
  const other = viewerStore();
  keepLooks(other, after, "k", () => items)();
  const { edits, channels } = other.getState();
  expect(shownGroups(after, "type", edits.type).map(({ name }) => name)).toEqual([
    "Follicle",
    "Neuron",
    "T cell",
  ]);
  const shown = channelChoices(after, channels);
  expect(shown.map(({ name, visible }) => [name, visible])).toEqual([
    ["DAPI", true],
    ["CD20", true],
  ]);
});

it("lets the page's address decide, and forgets what was restored to the original", () => {
  const items = storage();
  const manifest = manifestWith(["T cell", "B cell"]);
  items.setItem("k", JSON.stringify({ type: { "T cell": { name: "Kept" } } }));
  const linked = viewerStore(shownOfUrl(`edit.type={"T cell":{"name":"Linked"}}`));
  keepLooks(linked, manifest, "k", () => items)();
  expect(linked.getState().edits.type["T cell"]).toEqual({ name: "Linked" });

  const store = viewerStore();
  const stop = keepLooks(store, manifest, "k", () => items);
  expect(store.getState().edits.type["T cell"]).toEqual({ name: "Kept" });
  editGroup(store, "type", "T cell", { name: "" });
  stop();
  expect(items.getItem("k")).toBeNull();

  items.setItem("k", "{broken");
  expect(() => keepLooks(viewerStore(), manifest, "k", () => items)()).not.toThrow();
});

it("leaves the names and colors alone that need no restoring", () => {
  const items = storage();
  const manifest = manifestWith(["T cell", "B cell"]);
  items.setItem("k", JSON.stringify({ type: { "T cell": { name: "Kept" } } }));
  const store = viewerStore(shownOfUrl(`edit.type={"T cell":{"name":"Linked"}}`));
  const { edits } = store.getState();
  keepLooks(store, manifest, "k", () => items)();
  expect(store.getState().edits).toBe(edits);
});

it("reads links and saved views that number the groups", () => {
  const manifest = manifestWith(["T cell", "B cell"]);
  const { edits } = viewerStore(shownOfUrl(`edit.type={"1":{"name":"Second"}}`)).getState();
  expect(shownGroups(manifest, "type", edits.type)[1]!.name).toBe("Second");
  // A type that is called by a number is meant by its name.
  const numbered = manifestWith(["7", "1"]);
  expect(shownGroups(numbered, "type", edits.type).map(({ name }) => name)).toEqual([
    "7",
    "Second",
  ]);
  const other = manifestWith(["1", "7"]);
  expect(shownGroups(other, "type", edits.type).map(({ name }) => name)).toEqual(["Second", "7"]);
});
