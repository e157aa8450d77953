import { expect, it } from "vitest";
import { decodeToken } from "./token.ts";

const token = (payload: unknown): string =>
  `e30.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.signature`;

it("reads base64url and UTF-8", () => {
  // The payload holds '-' and '_' in base64url and characters beyond Latin-1.
  const claims = { sub: "ÿ?>~", email: "grüße+日本@lab.example" };
  expect(token(claims)).toMatch(/[-_]/);
  expect(decodeToken(token(claims))).toEqual(claims);
});

it("rejects anything that is not our token", () => {
  expect(decodeToken("")).toBeNull();
  expect(decodeToken("abc")).toBeNull();
  expect(decodeToken("a.%%%.c")).toBeNull();
  expect(decodeToken("a.bm9qc29u.c")).toBeNull();
  expect(decodeToken(token({ sub: "u1" }))).toBeNull();
  expect(decodeToken(token(null))).toBeNull();
  expect(decodeToken(`a.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.c`)).toBeNull();
});
