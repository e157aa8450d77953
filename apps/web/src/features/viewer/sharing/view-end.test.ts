import { expect, it, vi } from "vitest";
import { ApiError, NetworkError } from "../../../app/api.ts";
import { endOfError, notifyOpener, watched, type ViewEnd } from "./view-end.ts";

it("distinguishes the end of a view from a single failed request", () => {
  const ends = [
    "visualization_expired",
    "share_link_revoked",
    "trial_ended",
    "subscription_expired",
    "project_not_found",
    "results_changed",
    "not_found",
    "results_not_ready",
  ].map((code) => endOfError(new ApiError(403, code, "")));
  const expected = ["expired", "revoked", "trialEnded", "planEnded", "deleted", "changed"];
  expect(ends).toEqual([...expected, null, null]);
  expect(endOfError(new NetworkError("offline"))).toBeNull();
});

it("reports every failure and passes answers through unchanged", async () => {
  const heard: unknown[] = [];
  const error = new Error("refused");
  const source = watched(
    { good: () => Promise.resolve(1), bad: () => Promise.reject(error), plain: () => 2 },
    (cause) => heard.push(cause),
  );
  expect([await source.good(), source.plain()]).toEqual([1, 2]);
  await expect(source.bad()).rejects.toBe(error);
  expect(heard).toEqual([error]);
});

it("notifies the opener only when the session ends", () => {
  const postMessage = vi.fn();
  const origin = "https://stipple.example";
  vi.stubGlobal("window", { opener: { postMessage }, location: { origin } });
  const others: (ViewEnd | null)[] = [null, "expired", "revoked", "trialEnded", "deleted"];
  others.forEach(notifyOpener);
  expect(postMessage).not.toHaveBeenCalled();
  notifyOpener("session");
  expect(postMessage.mock.calls).toEqual([[{ type: "session_expired" }, origin]]);
  vi.unstubAllGlobals();
});
