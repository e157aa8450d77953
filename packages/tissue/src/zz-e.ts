import { readTruth } from "./read-truth.ts";
import { readResult } from "@stipple/pipeline/store/results-folder";
import { openRates } from "@stipple/pipeline/steps/4-vector-transformation/rates";
import { detection, matchByCentre, matchByOverlap } from "./metrics/detection.ts";
import { interpolation, trueTypesFitted, nearestSpot } from "./metrics/baselines.ts";
import { median, pearsonPerGene, spearman } from "./metrics/correlation.ts";
const t = await readTruth(process.argv[2]!); const R = process.argv[3]!;
const xy = await readResult(R, "cells/xy"); const pol = await readResult(R, "nuclei/polygon");
const c = matchByCentre(t.xy, xy.data, 6 / t.parameters.umPerPx), o = matchByOverlap(t.nuclei, pol, 0.5);
const n = (m: Int32Array) => m.filter((v) => v >= 0).length;
console.log(xy.nRows, t.nCells, detection(n(c), xy.nRows, t.nCells), detection(n(o), xy.nRows, t.nCells));
const types = [...new Set(t.type)]; for (const k of types) { const i = t.type.flatMap((v, j) => (v === k ? [j] : [])); console.log(k.padEnd(20), i.length, (i.filter((j) => c[j]! >= 0).length / i.length).toFixed(3), (i.filter((j) => o[j]! >= 0).length / i.length).toFixed(3)); }
const order = (await readResult(R, "genes/id")).map((id) => t.genes.findIndex((g) => g.id === id));
const cc = await readResult(R, "spots/counts");
const spots = { pitchPx: 200, xy: (await readResult(R, "spots/xy")).data, barcode: await readResult(R, "spots/barcode"), counts: { ...cc, indices: cc.indices.map((i) => order[i]!) } };
const { rates } = t; const nc = rates.nCols;
const v = Array.from({ length: nc }, (_, g) => { let s = 0, q = 0; for (let i = 0; i < rates.nRows; i++) { const x = Math.log1p(rates.data[i * nc + g]!); s += x; q += x * x; } return q / rates.nRows - (s / rates.nRows) ** 2; });
const vi = v.map((_, i) => i).sort((a, b) => v[b]! - v[a]!).slice(0, 306);
const roles = ["marker", "variable", "programme", "mitochondrial", "housekeeping"];
const rr = await openRates(R);
let t0 = performance.now();
const mine = pearsonPerGene(t.counts, (cell, row) => { const p = c[cell]!; if (p < 0) return; const x = rr.rows(p, p + 1); order.forEach((to, from) => { row[to] = x[from]!; }); });
console.log("rate took", performance.now() - t0);
show("rate", mine);
const h = await readResult(R, "genes/heldout_pcc"); console.log("rho", spearman(Array.from(h), order.map((to) => mine[to]!)));
for (const [nn, f] of Object.entries({ nearestSpot, interpolation, trueTypesFitted })) show(nn, pearsonPerGene(t.counts, f(t, spots)));
function show(nn: string, r: Float64Array) { console.log(nn.padEnd(18), median(r).toFixed(3), median(vi.map((g) => r[g]!)).toFixed(3), roles.map((role) => role + " " + median(t.genes.flatMap((g, i) => (g.role === role ? [r[i]!] : []))).toFixed(3)).join("  ")); }
