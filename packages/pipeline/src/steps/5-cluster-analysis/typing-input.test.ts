import { describe, expect, it } from "vitest";
import type { Field, FieldKey, SparseMatrix } from "../../fields.ts";
import { analysisSettings } from "../../settings.ts";
import { readTypingFeatures, typingInput } from "./typing-input.ts";

const overlap: SparseMatrix = {
  nRows: 1,
  nCols: 2,
  indptr: Uint32Array.of(0, 2),
  indices: Uint32Array.of(0, 1),
  data: Float32Array.of(1, 1),
};

/** Two cells in one spot, whose looks are uninformative about rates. */
function reading(method: "network" | "spot_level"): Parameters<typeof typingInput>[0] {
  const fields: Partial<Record<FieldKey, unknown>> = {
    "cells/rate": { nCells: 2 },
    "cells/evidence": Uint8Array.of(0, 0),
    "cells/image_quality": Uint8Array.of(0, 0),
    "spots/cells": overlap,
    "spots/efficiency": Float32Array.of(1),
    "spots/X_pca": { nRows: 1, nCols: 1, data: Float32Array.of(0) },
    "genes/spots": { ...overlap, nCols: 1, indptr: Uint32Array.of(0, 0) },
    "cells/features": { nRows: 2, nCols: 1, data: Float32Array.of(1, 2) },
    "features/name": ["area"],
    "cells/near_spot": { nRows: 2, nCols: 1, data: Int32Array.of(0, 0) },
    "cells/near_weight": { nRows: 2, nCols: 1, data: Float32Array.of(1, 1) },
    "sample/segmentation": { method },
    "sample/scale": { spotShape: "circle" },
    "sample/expression": { morphologyHelps: false, morphologyGain: -0.01 },
  };
  return <K extends FieldKey>(key: K) => Promise.resolve(fields[key] as Field<K>);
}

describe("typing input", () => {
  const settings = analysisSettings.parse({ platform: "visium", staining: "h_and_e" });

  it("includes cell looks even if uninformative about rates, but only rates when spots are used as cells", async () => {
    const usesLooks = async (method: "network" | "spot_level") => {
      const read = reading(method);
      const features = await readTypingFeatures(read);
      const { spots } = await typingInput(read, settings, { typeBeyondReach: false, features });
      return spots !== undefined;
    };
    expect(await usesLooks("network")).toBe(true);
    expect(await usesLooks("spot_level")).toBe(false);
  });
});
