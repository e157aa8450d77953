import { expect, it } from "vitest";
import { viewerStore } from "../state/viewer-store.ts";
import { plotStoreOf } from "./plot-settings.ts";

it("follows what the cells are colored by", () => {
  const viewer = viewerStore();
  const plots = plotStoreOf(viewer);
  expect(plots.getState()).toMatchObject({ value: "measure", gene: null });
  viewer.setState({ colorBy: "gene", gene: "CD3E", layer: "counts" });
  expect(plots.getState()).toMatchObject({ value: "gene", gene: "CD3E", layer: "counts" });
  // The plot's own choice stays while the cells' colors do.
  plots.setState({ gene: "EPCAM" });
  viewer.setState({ hovered: 3 });
  expect(plots.getState().gene).toBe("EPCAM");
  viewer.setState({ gene: "MS4A1" });
  expect(plots.getState().gene).toBe("MS4A1");
  viewer.setState({ colorBy: "measure", measure: "cells.area_um2" });
  expect(plots.getState()).toMatchObject({ value: "measure", measure: "cells.area_um2" });
  viewer.setState({ colorBy: "type" });
  expect(plots.getState().value).toBe("measure");
});
