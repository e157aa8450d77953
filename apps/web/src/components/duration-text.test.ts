import { expect, it } from "vitest";
import { durationText } from "./duration-text.ts";

it.each([
  [0, "10 seconds"],
  [34, "30 seconds"],
  [55, "1 minute"],
  [200, "3 minutes"],
  [3580, "1 hour"],
  [4300, "1 hour 10 minutes"],
  [7200, "2 hours"],
])("formats %d seconds as %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
