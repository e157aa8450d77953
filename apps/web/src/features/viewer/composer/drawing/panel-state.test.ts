import { expect, it } from "vitest";
import type { Clustering } from "../../state/clusterings.ts";
import { shownClustering } from "../../state/clusterings.ts";
import { viewerStore } from "../../state/viewer-store.ts";
import { keptState, panelStore } from "./panel-state.ts";

const clustering = (id: string): Clustering => ({
  ...{ id, name: id, settings: {}, labels: Uint16Array.of(0) },
  groups: [{ name: "1", color: "#000000" }],
});

it("shows the clustering that a panel was made with, and no other one once it is gone", async () => {
  const page = viewerStore({ colorBy: "own" });
  page.setState({ clusterings: [clustering("first"), clustering("second")] });
  const drawing = {
    kind: "view",
    of: "umap",
    x: 0,
    y: 0,
    zoom: 0,
    widthPx: 9,
    heightPx: 9,
  } as const;
  const panel = { ...(await keptState(page, null)), drawing };
  const shown = async () =>
    shownClustering((await panelStore(page, panel, { cellsKey: null, nCells: 1 })).getState())?.id;
  page.setState({ clusterings: [clustering("second"), clustering("first")] });
  expect(await shown()).toBe("first");
  page.setState({ clusterings: [clustering("second")] });
  expect(await shown()).toBeUndefined();
});
