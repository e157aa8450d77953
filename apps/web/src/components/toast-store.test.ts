import { expect, it } from "vitest";
import { currentToasts, toast } from "./toast-store.ts";

it("is red for any text with 'Error' and blue for others; the icon shows a failure", () => {
  toast("Saved.", { ok: true });
  toast("Busy.", { failed: true });
  toast("Error: no room.");
  toast('Project "Error bars" deleted.', { ok: true });
  expect(currentToasts().map(({ tone, icon }) => [tone, icon])).toEqual([
    ["info", "success"],
    ["info", "failure"],
    ["bad", "failure"],
    ["bad", "failure"],
  ]);
});
