import { expect, it } from "vitest";
import {
  diskRefusal,
  dueAt,
  estimateOf,
  isSmall,
  memoryRefusal,
  stepLimitSeconds,
} from "./estimate.ts";

const WHOLE_SLIDE = [
  { slot: "matrix", size: 65e6 },
  { slot: "he_image", size: 555e6 },
];

it("expects at least what a measured whole slide took", () => {
  const estimate = estimateOf(WHOLE_SLIDE);
  expect(estimate.memoryMb).toBeGreaterThan(3_428);
  expect(estimate.memoryMb).toBeLessThan(4_000);
  expect(estimate.seconds).toBeGreaterThan(666);
  expect(isSmall(estimate)).toBe(false);
  expect(isSmall(estimateOf([{ slot: "matrix", size: 2e6 }]))).toBe(true);
});

it("expects at least what a measured whole HD slide took, and no more for a higher-resolution image of it", () => {
  const hd = (image: number) =>
    estimateOf([
      { slot: "h5", size: 435e6 },
      { slot: "he_image", size: image },
    ]);
  expect(hd(2_066e6).memoryMb).toBeGreaterThan(8_064);
  expect(hd(7_000e6).memoryMb).toBeLessThan(11_000);
  expect(hd(7_000e6).diskMb).toBeGreaterThan(hd(2_066e6).diskMb!);
});

it("expects less for streamed bins than for counts held in memory", () => {
  const withBins = estimateOf([...WHOLE_SLIDE, { slot: "fine_bins", size: 1e9 }]);
  const withCounts = estimateOf([...WHOLE_SLIDE, { slot: "h5", size: 1e9 }]);
  expect(withBins.memoryMb).toBeLessThan(12 * 1024);
  expect(withCounts.memoryMb).toBeGreaterThan(12 * 1024);
  expect(withBins.diskMb).toBeLessThan(withCounts.diskMb!);
});

it("refuses what does not fit, stating both figures", () => {
  expect(memoryRefusal({ memoryMb: 12 * 1024, seconds: 1 }, 8 * 1024)).toContain(
    "This sample needs about 12.0 GB; this server has 8.0 GB.",
  );
  expect(memoryRefusal({ memoryMb: 8 * 1024, seconds: 1 }, 8 * 1024)).toBeUndefined();
  const slide = { memoryMb: 1, seconds: 1, diskMb: 6 * 1024 };
  expect(diskRefusal(slide, 2 * 1024)).toContain(
    "This sample needs about 6.0 GB of disk space; this server has 2.0 GB free.",
  );
  expect(diskRefusal(slide, 6 * 1024)).toBeUndefined();
});

it("lets a small run overtake a large one, and a large one wait for at most half an hour of later runs", () => {
  const at = (minutes: number) => new Date(minutes * 60_000);
  const small = { memoryMb: 1, seconds: 60 };
  const huge = { memoryMb: 1, seconds: 100_000 };
  expect(dueAt(at(5), small) < dueAt(at(0), huge)).toBe(true);
  expect(dueAt(at(0), huge) < dueAt(at(30), small)).toBe(true);
});

it("limits a step to ten times the run's expected time, at least an hour, or the configured limit", () => {
  expect(stepLimitSeconds({ memoryMb: 1, seconds: 1_000 }, undefined)).toBe(10_000);
  expect(stepLimitSeconds({ memoryMb: 1, seconds: 60 }, undefined)).toBe(3_600);
  expect(stepLimitSeconds({ memoryMb: 1, seconds: 60 }, 5)).toBe(18_000);
});
