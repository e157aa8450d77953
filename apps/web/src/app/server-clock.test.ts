import { expect, it } from "vitest";
import { noteServerTime, serverNow } from "./server-clock.ts";

const ahead = (): number => serverNow().getTime() - Date.now();

it("follows the server's clock, ignoring response delays of a few seconds", () => {
  noteServerTime(new Date(Date.now() + 31 * 86_400_000).toISOString());
  expect(ahead() / 86_400_000).toBeCloseTo(31, 3);
  noteServerTime("no time");
  expect(ahead() / 86_400_000).toBeCloseTo(31, 3);
  noteServerTime(new Date(Date.now() - 2_000).toISOString());
  expect(Math.abs(ahead())).toBeLessThan(1_000);
});
