import { describe, expect, it } from "vitest";
import { outsideOfChannels, outsideOfColors } from "./outside-scan.ts";

const [WIDTH, HEIGHT] = [120, 100];
type Shade = (x: number, y: number) => number;

function colors(shade: Shade): Uint8Array {
  return Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, i) => {
    const at = Math.floor(i / 3);
    return shade(at % WIDTH, Math.floor(at / WIDTH));
  });
}

function plane(shade: Shade): Uint16Array {
  return Uint16Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    shade(i % WIDTH, Math.floor(i / WIDTH)),
  );
}

const share = (mask: Uint8Array | null): number =>
  (mask ?? new Uint8Array(1)).reduce((sum, value) => sum + value, 0) / (WIDTH * HEIGHT);
const glass: Shade = (x, y) => 235 + ((x + y) % 5);
const isRound: (x: number, y: number) => boolean = (x, y) => (x - 60) ** 2 + (y - 50) ** 2 < 900;

describe("areas outside a scan", () => {
  it("are flat black in a color image, also in the middle or at an angle", () => {
    const third = outsideOfColors(
      colors((x, y) => (x >= 80 ? 0 : glass(x, y))),
      WIDTH,
      HEIGHT,
    );
    // A column more than the black third.
    expect(share(third)).toBeCloseTo(41 / 120, 5);
    const corner = colors((x, y) => (x + y < 60 ? 2 : glass(x, y)));
    expect(share(outsideOfColors(corner, WIDTH, HEIGHT))).toBeGreaterThan(0.14);
    expect(outsideOfColors(corner, WIDTH, HEIGHT, { onlyStraight: true })).toBeNull();
    const tile = colors((x, y) => (x >= 40 && x < 70 && y >= 40 && y < 60 ? 0 : glass(x, y)));
    expect(share(outsideOfColors(tile, WIDTH, HEIGHT))).toBeCloseTo((32 * 22) / 12_000, 5);
  });

  it("are not dark tissue, small specks, saturated glass, or a whole image", () => {
    const dark = colors((x, y) => (isRound(x, y) ? 5 + (x % 9) : glass(x, y)));
    expect(outsideOfColors(dark, WIDTH, HEIGHT)).toBeNull();
    const speck = colors((x, y) => (x < 4 && y < 4 ? 0 : glass(x, y)));
    expect(outsideOfColors(speck, WIDTH, HEIGHT)).toBeNull();
    const saturated = colors((x, y) => (isRound(x, y) ? 150 + (x % 9) : 255));
    expect(outsideOfColors(saturated, WIDTH, HEIGHT)).toBeNull();
    expect(
      outsideOfColors(
        colors(() => 0),
        WIDTH,
        HEIGHT,
      ),
    ).toBeNull();
  });

  it("are flat white beside glass of another color", () => {
    const white = colors((x, y) => (y < 30 ? 255 : glass(x, y)));
    expect(share(outsideOfColors(white, WIDTH, HEIGHT))).toBeCloseTo(0.31, 5);
  });

  it("are where all channels of fluorescence are 0 with straight edges, not a clipped background", () => {
    const scan: Shade = (x, y) => 90 + ((3 * x + y) % 20);
    const padded = [plane((x, y) => (x < 50 ? 0 : scan(x, y))), plane((x) => (x < 50 ? 0 : 300))];
    expect(share(outsideOfChannels(padded, WIDTH, HEIGHT, 65_535))).toBeCloseTo(51 / 120, 5);
    const clipped = [plane((x, y) => (isRound(x, y) ? 400 : 0))];
    expect(outsideOfChannels(clipped, WIDTH, HEIGHT, 65_535)).toBeNull();
    const oneDark = [plane((x) => (x < 50 ? 0 : 5)), plane(scan)];
    expect(outsideOfChannels(oneDark, WIDTH, HEIGHT, 65_535)).toBeNull();
    const full = [plane((x, y) => (x < 50 ? 65_535 : scan(x, y)))];
    expect(share(outsideOfChannels(full, WIDTH, HEIGHT, 65_535))).toBeCloseTo(51 / 120, 5);
  });
});
