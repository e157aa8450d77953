import type { Scene } from "@stipple/viewer";
import { expect, it } from "vitest";
import { gridSvg, type DrawnSection } from "./save-figure.ts";

function section(name: string, x: number, umPerPixel: number, sharesScale: boolean): DrawnSection {
  const scene = {
    frame: () => ({ widthPx: 300, heightPx: 200, umPerPixel }),
    cellsInView: () => undefined,
    picture: () => ({ toDataURL: () => "data:," }),
  } as unknown as Scene;
  return { name, scene, x, y: 30, sharesScale };
}

const svgOf = (...sections: DrawnSection[]): string =>
  gridSvg({ title: "", subtitle: "", widthPx: 900, heightPx: 230, legend: [], sections }, 1);
/** The scale bars' lengths on each section. */
const barsOf = (svg: string): string[] =>
  svg
    .split('<g transform="translate(')
    .filter((part) => part.includes("<image"))
    .map((part) => [...part.matchAll(/>([\d.]+ [µm]m)</g)].map(([, text]) => text).join());

it("draws the common scale bar on a section that has this scale", () => {
  const svg = svgOf(
    section("A", 0, 10, false),
    section("B", 300, 1, true),
    section("C", 600, 1, true),
  );
  expect(barsOf(svg)).toEqual(["1 mm", "100 µm", ""]);
  expect(svg.match(/ xlink:href="data:,"/g)).toHaveLength(3);
  expect([...svg.matchAll(/ [µm]m</g)]).toHaveLength(2);
});

it("keeps a long name above its own section", () => {
  const svg = svgOf(section("A".repeat(100), 0, 1, true), section("B", 300, 1, true));
  expect(svg).toMatch(/>A{35,40}…<\/text>/);
});
