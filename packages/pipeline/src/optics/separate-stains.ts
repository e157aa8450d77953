import type { StainModel } from "../facts.ts";
import { inStretches } from "@stipple/numerics/in-stretches";

export type Triple = [number, number, number];

/** Optical density of each 8-bit intensity: −ln((I + 1) / (I₀ + 1)), never negative. */
export function opticalDensityTable(background: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, intensity) =>
    Math.max(0, -Math.log((intensity + 1) / (background + 1))),
  );
}

/** Ink has a red or blue optical density above this, and above this multiple of green: a color that neither stain has. */
const INK_DENSITY = 0.35;
const INK_TIMES_GREEN = 1.6;

/** Whether a pixel with these optical densities is under colored ink. */
export function isInk(red: number, green: number, blue: number): boolean {
  const most = Math.max(red, blue);
  return most > INK_DENSITY && most > INK_TIMES_GREEN * green;
}

export interface StainConcentrations {
  hematoxylin: Float32Array;
  eosin: Float32Array;
}

/**
 * Concentrations of two stains in interleaved RGB8 pixels: the non-negative least-squares solution of
 * OD = h · hematoxylin + e · eosin in each pixel (Beer–Lambert), in units of the model's unit vectors.
 * A pure function of one tile. O(pixels).
 */
export function separateStains(rgb: Uint8Array, model: StainModel): StainConcentrations {
  const n = Math.floor(rgb.length / 3);
  const hematoxylin = new Float32Array(n);
  const eosin = new Float32Array(n);
  const concentrations = { hematoxylin, eosin };
  const tables = model.background.map(opticalDensityTable);
  inStretches(n, (from, to) => separateStretch(rgb, model, tables, concentrations, from, to));
  return concentrations;
}

function separateStretch(
  rgb: Uint8Array,
  model: StainModel,
  [red, green, blue]: readonly Float32Array[],
  { hematoxylin, eosin }: StainConcentrations,
  from: number,
  to: number,
): void {
  const [hr, hg, hb] = model.hematoxylin;
  const [er, eg, eb] = model.eosin;
  const hh = hr * hr + hg * hg + hb * hb;
  const ee = er * er + eg * eg + eb * eb;
  const he = hr * er + hg * eg + hb * eb;
  const determinant = hh * ee - he * he;
  for (let i = from; i < to; i++) {
    const r = red[rgb[3 * i]];
    const g = green[rgb[3 * i + 1]];
    const b = blue[rgb[3 * i + 2]];
    const h = hr * r + hg * g + hb * b;
    const e = er * r + eg * g + eb * b;
    const both = determinant > 1e-9;
    const first = both ? (h * ee - e * he) / determinant : -1;
    const second = both ? (e * hh - h * he) / determinant : -1;
    if (first >= 0 && second >= 0) {
      hematoxylin[i] = first;
      eosin[i] = second;
    } else {
      // The optimum lies on an edge: one stain alone, whichever explains more.
      const onlyH = Math.max(0, h / hh);
      const onlyE = Math.max(0, e / ee);
      if (onlyH * h >= onlyE * e) hematoxylin[i] = onlyH;
      else eosin[i] = onlyE;
    }
  }
}
