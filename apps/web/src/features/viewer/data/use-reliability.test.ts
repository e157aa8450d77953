import { RATE_SOURCES } from "@stipple/contract/viewer-manifest";
import { expect, it } from "vitest";
import { unreliability } from "./use-reliability.ts";

it("says why a gene is not reliable", () => {
  const source = (word: (typeof RATE_SOURCES)[number]) => RATE_SOURCES.indexOf(word);
  expect(unreliability(null, source("model"))).toBe("untested");
  expect(unreliability(0.6, source("interpolation"))).toBe("smoothed");
  expect(unreliability(0.1, source("model"))).toBe("poor");
  expect(unreliability(0.4, source("model"))).toBe("even");
  expect(unreliability(0.1, undefined)).toBe("poor");
});
