import type { ViewerManifest } from "@stipple/contract/viewer-manifest";
import { expect, it } from "vitest";
import { hiddenGroups } from "./shown-groups.ts";
import { shownOfUrl } from "./url-state.ts";

const manifestOf = (types: readonly string[], clusters: readonly string[]) => {
  const groups = (names: readonly string[]) =>
    names.map((name) => ({ name, color: "#000000", count: 1 }));
  return {
    types: groups(types),
    clusters: groups(clusters),
    domains: [],
  } as unknown as ViewerManifest;
};
const hiddenBy = (query: string, manifest: ViewerManifest) => {
  const { type, cluster } = hiddenGroups(manifest, shownOfUrl(query).hidden!);
  return { type, cluster };
};

it("hides the groups of a link by name, also once a run has ordered them otherwise", () => {
  const link = "hide.type=T+cell,B+cell&hide.cluster=2";
  const before = manifestOf(["T cell", "B cell", "Neuron"], ["0", "1", "2"]);
  expect(hiddenBy(link, before)).toEqual({ type: [0, 1], cluster: [2] });
  const after = manifestOf(["Neuron", "Mast cell", "T cell"], ["0", "1"]);
  expect(hiddenBy(link, after)).toEqual({ type: [2], cluster: [] });
});

it("reads older links, which number the groups", () => {
  const manifest = manifestOf(["T cell", "B cell", "Neuron"], ["0", "1", "2"]);
  expect(hiddenBy("hide.type=1,2&hide.cluster=0", manifest)).toEqual({
    type: [1, 2],
    cluster: [0],
  });
});
