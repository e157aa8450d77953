import { expect, it } from "vitest";
import { currentToasts, toast } from "./toast-store.ts";

it("is red for a failure and for any text with 'Error', even of a success", () => {
  toast("Saved.", { ok: true });
  toast("Busy.", { failed: true });
  toast("Error: no room.");
  toast('Project "Error bars" deleted.', { ok: true });
  expect(currentToasts().map(({ tone }) => tone)).toEqual(["ok", "bad", "bad", "bad"]);
});
