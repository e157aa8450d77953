import { describe, expect, it } from "vitest";
import { FIRST_SHOWN, type ShownState } from "./shown-state.ts";
import { shownOfUrl, urlOf } from "./url-state.ts";

describe("the URL of a view", () => {
  it("has no query for the initial picture", () => {
    expect(urlOf(FIRST_SHOWN)).toBe("");
  });

  it("restores the same picture", () => {
    const shown: ShownState = {
      ...FIRST_SHOWN,
      arrangement: "both",
      colorBy: "two",
      clustering: "9b0d",
      gene: "CD3E",
      secondGene: "H2-Ab1",
      scoreGenes: ["A", "B,1"],
      measure: "cells.confidence",
      layer: "counts",
      quantiles: [0.05, 0.95],
      hidden: {
        ...FIRST_SHOWN.hidden,
        type: ["T cell, naive", "B cell"],
        cluster: ["4"],
        own: ["1 + 2"],
      },
      edits: {
        type: { "T cell": { name: "T & co. = #1", color: "#00ff7f" } },
        cluster: {},
        domain: {},
        own: {},
        evidence: {},
        imageQuality: {},
      },
      layers: { ...FIRST_SHOWN.layers, tissue: false, spots: true, pointSize: 1.5 },
      swipe: 0.5,
      channels: [
        { visible: true, color: "#0000ff", low: 0.5, high: 1200, name: "CD3_ε: a:b" },
        { visible: false, color: "#ff0000", low: 1e-7, high: 65_535 },
      ],
      places: { tissue: { x: 1234.5, y: -3, zoom: -1.25 }, umap: null },
    };
    expect({ ...FIRST_SHOWN, ...shownOfUrl(urlOf(shown)) }).toEqual(shown);
  });

  it("keeps the protein or the place that cells are colored by", () => {
    for (const measure of ["protein:CD3: total", "border:Tumor", "near:T cell"] as const) {
      expect(shownOfUrl(urlOf({ ...FIRST_SHOWN, measure }))).toMatchObject({ measure });
    }
  });

  it("ignores invalid values", () => {
    const wild =
      "view=moon&by=7&range=0.9,0.1&swipe=4&at.tissue=1,2&channels=red&edit.type=%7B&pointSize=99&measure=cells.secret";
    expect({ ...FIRST_SHOWN, ...shownOfUrl(wild) }).toEqual(FIRST_SHOWN);
  });
});
