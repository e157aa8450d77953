import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeTwoPieces } from "@stipple/pipeline/internal/readers/testing/platform-fixtures";
import { afterAll, expect, it } from "vitest";
import { runStipple } from "./testing/run-stipple.ts";

const folder = mkdtempSync(join(tmpdir(), "stipple-pieces-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("names the pieces of a slide, and writes each for --crop", async () => {
  await writeTwoPieces(join(folder, "slide"));
  const out = join(folder, "pieces");
  const args = ["pieces", "--platform", "visium", "--input", join(folder, "slide"), "--out", out];
  const { code, out: said } = await runStipple(args);
  expect(code).toBe(0);
  expect(said).toContain("2 pieces of tissue lie apart on this slide:\n  Piece 1: 11 spots\n");
  const named = (file: string): string[] =>
    (
      JSON.parse(readFileSync(join(out, file), "utf8")) as {
        features: { properties: { name: string } }[];
      }
    ).features.map(({ properties }) => properties.name);
  expect(named("pieces.geojson")).toEqual(["Piece 1", "Piece 2"]);
  expect(named("piece-2.geojson")).toEqual(["Piece 2"]);
  const again = [...args.slice(0, 5), "--exclude", join(out, "piece-1.geojson")];
  const one = await runStipple(again);
  expect(one).toEqual({ code: 0, out: "The tissue on this slide is one piece.\n", err: "" });
});
