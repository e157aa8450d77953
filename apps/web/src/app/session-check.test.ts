import { describe, expect, it } from "vitest";
import { ApiError, NetworkError } from "./api.ts";
import { checkSubscription } from "./session-check.ts";
import { BLANK_USER } from "./session.ts";

/** Fails with each error in turn, then answers. */
function failing(...errors: Error[]) {
  const pauses: number[] = [];
  let calls = 0;
  const verify = async () => {
    const error = errors[calls];
    calls += 1;
    if (error) throw error;
    return BLANK_USER;
  };
  const outcome = checkSubscription(verify, async (ms) => void pauses.push(ms));
  return { outcome, pauses, calls: () => calls };
}

const network = new NetworkError("cut");
const broken = new ApiError(503, "internal", "");

describe("the check of the subscription", () => {
  it("survives two failures", async () => {
    const run = failing(network, broken);
    expect(await run.outcome).toEqual({ kind: "ok", user: BLANK_USER });
    expect(run.pauses).toEqual([300, 900]);
  });

  it("gives up at the third failure", async () => {
    const run = failing(network, network, broken);
    expect(await run.outcome).toEqual({ kind: "failed" });
    expect(run.calls()).toBe(3);
  });

  it("accepts a refusal immediately", async () => {
    for (const status of [401, 403]) {
      const run = failing(new ApiError(status, "unauthenticated", ""));
      expect(await run.outcome).toEqual({ kind: "refused" });
      expect(run.calls()).toBe(1);
    }
    expect(await failing(new ApiError(404, "not_found", "")).outcome).toEqual({ kind: "failed" });
  });
});
