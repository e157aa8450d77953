import { describe, expect, it } from "vitest";
import { newPasswordProblem, registerProblem, signInProblem } from "./form-rules.ts";
import { passwordStrength } from "./password-strength.tsx";

const GOOD = { email: "ada@lab.org", password: "Spots2cells!", confirmation: "Spots2cells!" };

describe("combined form", () => {
  it("asks for email, then password length, then equality", () => {
    const bad = { email: "ada", password: "12345", confirmation: "x" };
    expect(signInProblem("register", bad)).toBe("Please enter a valid email address.");
    expect(signInProblem("register", { ...bad, email: "a@b.c" })).toBe(
      "Password must be at least 6 characters long.",
    );
    expect(signInProblem("register", { ...bad, email: "a@b.c", password: "123456" })).toBe(
      "Passwords do not match.",
    );
  });

  it("ignores the confirmation when signing in and accepts six plain characters", () => {
    expect(
      signInProblem("sign-in", { email: "a@b.c", password: "123456", confirmation: "" }),
    ).toBeNull();
  });
});

it("rates a password by length and kinds of characters, and repetition as nothing", () => {
  const rated = (passwords: string[]) => passwords.map(passwordStrength);
  expect(rated(["", "123456", "abcdef", "aaaaaaaaaaaaaaaaaaaa"])).toEqual(Array(4).fill("weak"));
  expect(rated(["spots2cell", "Abcdef1!"])).toEqual(["fair", "fair"]);
  expect(rated(["correct horse battery staple", "k3!Vn_9wQz"])).toEqual(["strong", "strong"]);
});

describe("register screen", () => {
  it("asks in order: all fields, email, equality, requirements", () => {
    expect(registerProblem({ ...GOOD, confirmation: "" })).toBe("All fields are required");
    expect(registerProblem({ ...GOOD, email: "a b@c.d" })).toBe(
      "Please enter a valid email address",
    );
    expect(registerProblem({ ...GOOD, email: "a@cd" })).toBe("Please enter a valid email address");
    expect(registerProblem({ ...GOOD, confirmation: "other" })).toBe("Passwords do not match");
    expect(registerProblem({ ...GOOD, password: "abcdefgh", confirmation: "abcdefgh" })).toBe(
      "Please meet all password requirements",
    );
    expect(registerProblem(GOOD)).toBeNull();
  });
});

describe("new password of an account", () => {
  it("follows the register screen's rules and asks for the current one where required", () => {
    const good = { password: "Spots2cells!", confirmation: "Spots2cells!" };
    expect(newPasswordProblem(good)).toBeNull();
    expect(newPasswordProblem({ ...good, current: "" })).toBe("All fields are required");
    expect(newPasswordProblem({ ...good, confirmation: "x" })).toBe("Passwords do not match");
    expect(newPasswordProblem({ password: "123456", confirmation: "123456" })).toBe(
      "Please meet all password requirements",
    );
  });
});
