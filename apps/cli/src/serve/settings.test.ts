import { describe, expect, it } from "vitest";
import { paymentsOf } from "./settings.ts";

const LOCAL = "http://localhost:3000";

describe("the payment provider", () => {
  it("is the sandbox for a local default installation", () => {
    for (const host of ["localhost", "127.0.0.1", "::1"]) {
      expect(paymentsOf({}, host, LOCAL)).toBe("sandbox");
    }
    expect(paymentsOf({ STIPPLE_PAYMENT_SANDBOX: "false" }, "localhost", LOCAL)).toBe("none");
  });

  it("is none if others can reach the instance, unless the sandbox is requested", () => {
    for (const [host, url] of [
      ["0.0.0.0", LOCAL],
      ["localhost", "https://stipple.example.org"],
      ["localhost", "http://10.0.0.5:3000"],
    ] as const) {
      expect(paymentsOf({}, host, url)).toBe("none");
      expect(paymentsOf({ STIPPLE_PAYMENT_SANDBOX: "true" }, host, url)).toBe("sandbox");
    }
    expect(paymentsOf({ NODE_ENV: "production" }, "localhost", LOCAL)).toBe("none");
  });

  it("is the real one if its keys are set, and never both", () => {
    const keys = { STRIPE_SECRET_KEY: "sk_live_1" };
    expect(paymentsOf(keys, "localhost", LOCAL)).toBe("stripe");
    expect(() =>
      paymentsOf({ ...keys, STIPPLE_PAYMENT_SANDBOX: "true" }, "localhost", LOCAL),
    ).toThrow("both set");
    expect(() => paymentsOf({ STIPPLE_PAYMENT_SANDBOX: "yes" }, "localhost", LOCAL)).toThrow(
      "true or false",
    );
  });
});
