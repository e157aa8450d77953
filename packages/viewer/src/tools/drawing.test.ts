import { describe, expect, it, vi } from "vitest";
import { shapeArea, type Shape } from "../geometry/shape.ts";
import { areaOfRing, areaOfStroke, combinedShapes, withoutCrossings } from "./combine-shapes.ts";
import { brushTool } from "./brush-tool.ts";
import { cornerTool } from "./corner-tool.ts";
import { polygonTool } from "./polygon-tool.ts";
import { rulerTool } from "./ruler-tool.ts";
import { flatGround } from "./testing/flat-ground.ts";

const square = (x: number, y: number, side: number): Float64Array =>
  Float64Array.of(x, y, x + side, y, x + side, y + side, x, y + side);

function polygon() {
  const onSketch = vi.fn();
  const onRing = vi.fn();
  const ground = flatGround(polygonTool({ onSketch, onRing }));
  const click = (x: number, y: number) => ground.drag([[x, y]]);
  return { ...ground, click, onSketch, onRing };
}

describe("a polygon", () => {
  it("has the clicked corners, and closes at Enter, at a double click, and at its first corner", () => {
    for (const end of ["Enter", "double", "first"]) {
      const { click, press, onRing, onSketch } = polygon();
      click(10, 10);
      click(60, 10);
      click(60, 50);
      if (end === "Enter") press("Enter");
      else if (end === "double") click(61, 51);
      else click(12, 9);
      expect(onRing.mock.calls).toEqual([[Float64Array.of(10, 10, 60, 10, 60, 50)]]);
      expect(onSketch).toHaveBeenLastCalledWith(null);
    }
  });

  it("closes where a finger taps near a corner, and sets one where a mouse clicks there", () => {
    for (const [pointerType, times] of [
      ["touch", 1],
      ["mouse", 0],
    ] as const) {
      const { click, drag, onRing } = polygon();
      click(10, 10);
      click(60, 10);
      click(60, 50);
      drag([[20, 18]], { pointerType });
      expect(onRing).toHaveBeenCalledTimes(times);
    }
  });

  it("keeps the clicks, which would show the cell under a finger", () => {
    const { send, stop } = polygon();
    expect(send("click").defaultPrevented).toBe(true);
    stop();
    expect(send("click").defaultPrevented).toBe(false);
  });

  it("loses its last corner to Backspace and all of them to Escape, which then leaves the tool", () => {
    const { click, press, onRing, onSketch } = polygon();
    for (const [x, y] of [
      [0, 0],
      [20, 0],
      [90, 90],
      [20, 20],
    ] as const) {
      if (x === 20 && y === 20) press("Backspace");
      click(x, y);
    }
    press("Enter");
    expect(onRing).toHaveBeenCalledWith(Float64Array.of(0, 0, 20, 0, 20, 20));
    click(0, 0);
    expect(press("Escape")).toBe(true);
    expect(onSketch).toHaveBeenLastCalledWith(null);
    expect(press("Escape")).toBe(false);
  });

  it("follows the pointer, moves the view where it is dragged, and needs three corners", () => {
    const { click, drag, hover, press, panBy, onRing, onSketch } = polygon();
    click(10, 10);
    hover(30, 40);
    expect(onSketch.mock.lastCall![0].paths).toEqual([Float64Array.of(10, 10, 30, 40)]);
    drag([
      [50, 50],
      [50, 70],
      [50, 75],
    ]);
    expect(panBy.mock.calls).toEqual([
      [0, -20],
      [0, -5],
    ]);
    click(40, 10);
    press("Enter");
    expect(onRing).not.toHaveBeenCalled();
  });

  it("goes on from corners that were set before, and tells those that are set", () => {
    const onCorners = vi.fn();
    const onRing = vi.fn();
    const events = { onSketch: vi.fn(), onRing, onCorners };
    const ground = flatGround(polygonTool(events, [10, 10, 60, 10]));
    expect(events.onSketch.mock.lastCall![0].handles).toEqual(Float64Array.of(10, 10, 60, 10));
    ground.drag([[60, 50]]);
    expect(onCorners.mock.lastCall).toEqual([[10, 10, 60, 10, 60, 50]]);
    ground.press("Enter");
    expect(onRing).toHaveBeenCalledWith(Float64Array.of(10, 10, 60, 10, 60, 50));
    expect(onCorners).toHaveBeenLastCalledWith([]);
  });

  it("is drawn without a pointer in the middle of the view", () => {
    const { press, onSketch } = polygon();
    expect(press("c")).toBe(true);
    expect(onSketch.mock.lastCall![0].handles).toEqual(Float64Array.of(50, 40));
  });
});

it("a brush covers its stroke, whichever way it goes, also as a dot", () => {
  const onStroke = vi.fn();
  const { drag } = flatGround(brushTool(5, { onSketch: () => undefined, onStroke }));
  drag(
    [
      [20, 20],
      [60, 20],
    ],
    { altKey: true },
  );
  expect(onStroke).toHaveBeenCalledWith(Float64Array.of(20, 20, 60, 20), true);
  const around = Math.PI * 25;
  for (const [path, area] of [
    [Float64Array.of(20, 20, 60, 20), 400 + around],
    [Float64Array.of(20, 20, 60, 20, 20, 20), 400 + around],
    [Float64Array.of(20, 20), around],
  ] as const)
    expect(Math.abs(shapeArea(areaOfStroke(path, 5)) / area - 1)).toBeLessThan(0.02);
});

it("a ruler keeps its line until the next one", () => {
  const onSketch = vi.fn();
  const { drag, press, stop } = flatGround(rulerTool({ onSketch }));
  drag([
    [0, 0],
    [30, 40],
  ]);
  expect(onSketch.mock.lastCall![0].paths).toEqual([Float64Array.of(0, 0, 30, 40)]);
  press("c");
  expect(onSketch.mock.lastCall![0].paths).toEqual([Float64Array.of(50, 40)]);
  stop();
  expect(onSketch).toHaveBeenLastCalledWith(null);
});

describe("corners", () => {
  const withHole: Shape = [[square(10, 10, 60), square(30, 30, 20)]];
  function corners() {
    const onShape = vi.fn();
    const onSketch = vi.fn();
    return { ...flatGround(cornerTool(withHole, { onSketch, onShape })), onShape, onSketch };
  }

  it("are dragged, also those of a hole, and added on edges", () => {
    const { drag, onShape } = corners();
    drag([
      [31, 29],
      [25, 25],
    ]);
    expect(onShape.mock.lastCall![0][0][1]).toEqual(
      Float64Array.of(25, 25, 50, 30, 50, 50, 30, 50),
    );
    drag([
      [40, 11],
      [40, 2],
    ]);
    expect([...onShape.mock.lastCall![0][0][0]].slice(0, 6)).toEqual([10, 10, 40, 2, 70, 10]);
  });

  it("are removed and moved by keys, three of a ring at least", () => {
    const { press, drag, onShape } = corners();
    press("]");
    press("ArrowRight", { shiftKey: true });
    expect(onShape.mock.lastCall![0][0][0]).toEqual(
      Float64Array.of(14, 10, 70, 10, 70, 70, 10, 70),
    );
    for (let times = 0; times < 2; times++) {
      press("]");
      press("Delete");
    }
    expect(onShape.mock.lastCall![0][0][0].length).toBe(6);
    expect(withHole[0]![0]).toEqual(square(10, 10, 60));
    drag([
      [90, 75],
      [80, 75],
    ]);
  });

  it("leave the view to move elsewhere, without a change", () => {
    const { drag, panBy, onShape } = corners();
    drag([
      [90, 5],
      [85, 5],
    ]);
    expect(panBy).toHaveBeenCalledWith(5, 0);
    expect(onShape).not.toHaveBeenCalled();
  });
});

describe("shapes", () => {
  it("are added to and cut from each other, with holes and several polygons", () => {
    const ring = combinedShapes([[square(0, 0, 30)]], [[square(10, 10, 10)]], "subtract");
    expect(ring.map((rings) => rings.length)).toEqual([2]);
    expect(shapeArea(ring)).toBe(800);
    // An island in the hole, and the hole's own hole.
    const island = combinedShapes(ring, [[square(14, 14, 2)]], "add");
    expect(island.map((rings) => rings.length).sort()).toEqual([1, 2]);
    expect(shapeArea(island)).toBe(804);
    expect(shapeArea(combinedShapes(island, [[square(10, 10, 10)]], "add"))).toBe(900);
    expect(combinedShapes(ring, [[square(0, 0, 30)]], "subtract")).toEqual([]);
  });

  it("count ground of several polygons once", () => {
    expect(shapeArea([[square(0, 0, 10)], [square(5, 0, 10)]])).toBe(150);
  });

  it("get nothing from a hole that reaches beyond its outline", () => {
    const outline = square(0, 0, 30);
    const reaching = Float64Array.of(10, 10, 50, 10, 50, 20, 10, 20);
    const tidy = withoutCrossings([[outline, reaching], [square(60, 0, 10)]]);
    expect(shapeArea(tidy)).toBe(900 - 200 + 100);
    expect(Math.max(...tidy.flat().flatMap((ring) => [...ring]))).toBe(70);
    expect(shapeArea(withoutCrossings([[outline, square(10, 10, 10)], [square(12, 12, 2)]]))).toBe(
      804,
    );
  });

  it("do not depend on which way rings run", () => {
    const turned = Float64Array.of(10, 10, 10, 20, 20, 20, 20, 10);
    expect(shapeArea(combinedShapes([[square(0, 0, 30), turned]], [], "add"))).toBe(800);
    expect(shapeArea(combinedShapes([[turned, square(12, 12, 2)]], [], "add"))).toBe(96);
  });

  it("resolve a ring that crosses itself, and nothing comes of a line", () => {
    const eight = areaOfRing(Float64Array.of(0, 0, 20, 20, 20, 0, 0, 20));
    expect(eight.length).toBe(2);
    expect(shapeArea(eight)).toBe(200);
    expect(areaOfRing(Float64Array.of(0, 0, 10, 10))).toEqual([]);
  });
});
