import { expect, it } from "vitest";
import { cardTop } from "./hover-card.tsx";

it("places the card below or above the pointer, and in a low view over it", () => {
  expect(cardTop(100, 220, 800)).toBe(112);
  expect(cardTop(700, 220, 800)).toBe(468);
  expect(cardTop(170, 220, 290)).toBe(4);
  expect(cardTop(130, 220, 290)).toBe(66);
  expect(cardTop(130, 320, 290)).toBe(4);
});
