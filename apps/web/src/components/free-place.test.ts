import { describe, expect, it } from "vitest";
import { freePlace } from "./toast.tsx";

const place = (taken: [top: number, bottom: number][], height = 60) =>
  freePlace(height, {
    window: 900,
    margin: 16,
    taken: taken.map(([top, bottom]) => ({ top, bottom })),
  });

describe("a free place", () => {
  it("is at the bottom if nothing is there", () => {
    expect(place([])).toBe(16);
    expect(place([[100, 140]])).toBe(16);
  });

  it("is just above what is at the bottom", () => {
    expect(place([[850, 890]])).toBe(50);
    // The gap between the two is too small.
    expect(
      place([
        [850, 890],
        [780, 820],
      ]),
    ).toBe(120);
  });

  it("is a gap that is large enough", () => {
    expect(
      place([
        [850, 890],
        [700, 780],
        [500, 600],
      ]),
    ).toBe(50);
  });

  it("covers as little as possible if everything is taken", () => {
    expect(
      place([
        [0, 500],
        [505, 900],
      ]),
    ).toBe(395);
    expect(place([[0, 900]])).toBe(16);
  });
});
