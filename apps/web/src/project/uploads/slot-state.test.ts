import { missingSlots, type PlatformId } from "@stipple/contract/platforms/index";
import { expect, it } from "vitest";
import { byteText, timeLeftText } from "./byte-text.ts";
import { slotState } from "./use-slot-states.ts";

const missingLabels = (platform: PlatformId, filled: ReadonlySet<string>) =>
  missingSlots(platform, filled).map(({ label }) => label);

it("names what is missing, accepting the H5 instead of the three matrix files", () => {
  expect(missingLabels("visium", new Set())).toEqual([
    "Barcodes",
    "Features",
    "Matrix",
    "Positions",
    "Histology image",
  ]);
  expect(missingLabels("visium", new Set(["h5", "positions"]))).toEqual(["Histology image"]);
  expect(missingLabels("visium", new Set(["h5", "positions", "hires", "scale"]))).toEqual([]);
  expect(missingLabels("visium", new Set(["barcodes", "matrix", "positions", "he_image"]))).toEqual(
    ["Features"],
  );
});

it("offers to continue what the server holds partially", () => {
  const server = {
    file_name: "a.tif",
    received: [0, 1, 2],
    chunks: 7,
    complete: false,
    size: null,
  };
  expect(slotState(undefined, server)).toEqual({
    kind: "unfinished",
    fileName: "a.tif",
    percent: 42,
  });
  expect(slotState(undefined, { ...server, complete: true, size: 5 })).toEqual({
    kind: "uploaded",
    fileName: "a.tif",
    bytes: 5,
  });
  expect(slotState(undefined, undefined)).toEqual({ kind: "empty" });
});

it("formats sizes and times compactly", () => {
  expect(byteText(900)).toBe("900 bytes");
  expect(byteText(14.25 * 1024 ** 2)).toBe("14.3 MB");
  expect(byteText(6.5 * 1024 ** 3)).toBe("6.50 GB");
  expect(timeLeftText(100, 10)).toBe("10 s left");
  expect(timeLeftText(100_000, 100)).toBe("17 min left");
  expect(timeLeftText(1_000_000, 100)).toBe("2 h 47 min left");
  expect(timeLeftText(1, 0)).toBe("");
});
