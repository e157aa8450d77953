import { expect, it } from "vitest";
import { packRates, roundRates, unpackRates } from "./packed-rates.ts";

it("keeps rates of every size to 0.1 %, and their order", () => {
  const rates = Float32Array.from({ length: 4000 }, (_, n) => 1.01 ** (n - 2500));
  const packed = packRates(rates);
  expect([...packed]).toEqual([...packed].sort((a, b) => a - b));
  const errors = unpackRates(packed).map((rate, n) => Math.abs(rate / rates[n]! - 1));
  expect(Math.max(...errors)).toBeLessThan(2 ** -10);
  expect(Math.max(...errors)).toBeGreaterThan(2 ** -12);
});

it("keeps 0, small whole numbers and powers of two as they are", () => {
  const rates = Float32Array.from([0, ...Array(512).keys(), 1024, 2 ** -60, 2 ** 40]);
  expect(unpackRates(packRates(rates))).toEqual(rates);
});

it("makes 0 of what has no place, and rounds to the next power of two", () => {
  expect([...unpackRates(packRates(Float32Array.from([1e-30, 2 - 1e-6])))]).toEqual([0, 2]);
});

it("packs rates to what rounding makes of them", () => {
  const rates = Float32Array.from({ length: 4000 }, (_, n) => 1.009 ** (n - 3000));
  const packed = packRates(rates);
  roundRates(rates);
  expect(unpackRates(packed)).toEqual(rates);
});

it("packs a part of an array", () => {
  const all = Float32Array.from([1, 2, 3, 4]);
  expect([...unpackRates(packRates(all.subarray(1, 3)))]).toEqual([2, 3]);
});
