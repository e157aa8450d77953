import { expect, it } from "vitest";
import { openSecretBox } from "./secret-box.ts";

const secret = Buffer.from("a secret of an authenticator app");
const box = openSecretBox(Buffer.from("the operator's secret"));

it("opens what it sealed, never the same twice", () => {
  const sealed = box.seal(secret, "ada");
  expect(box.open(sealed, "ada")).toEqual(secret);
  expect(sealed.includes(secret)).toBe(false);
  expect(box.seal(secret, "ada")).not.toEqual(sealed);
});

it("opens nothing that was altered, moved to another account, or sealed under another secret", () => {
  const sealed = box.seal(secret, "ada");
  const altered = Buffer.from(sealed);
  altered[altered.length - 1] ^= 1;
  expect(() => box.open(altered, "ada")).toThrow();
  expect(() => box.open(sealed, "bob")).toThrow();
  expect(() => openSecretBox(Buffer.from("another")).open(sealed, "ada")).toThrow();
});

it("digests differ between accounts and operators", () => {
  const digest = box.digest("code", "ada");
  expect(box.digest("code", "ada")).toBe(digest);
  expect(box.digest("code", "bob")).not.toBe(digest);
  expect(openSecretBox(Buffer.from("another")).digest("code", "ada")).not.toBe(digest);
});
