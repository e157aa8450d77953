import { expect, it } from "vitest";
import { isExpiryMessage } from "./session-expired.tsx";

it("recognizes a message of type session_expired", () => {
  expect(isExpiryMessage({ type: "session_expired" })).toBe(true);
  expect(isExpiryMessage("session_expired")).toBe(true);
  expect(isExpiryMessage({ type: "other" })).toBe(false);
  expect(isExpiryMessage(null)).toBe(false);
});
