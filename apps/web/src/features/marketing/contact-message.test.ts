import { expect, it } from "vitest";
import { isComplete, mailtoAddress, messageBody } from "./contact-page.tsx";

const form = {
  name: "Ada Müller",
  email: "ada@lab.org",
  subject: "Visium & HD?",
  message: "One line\nanother ",
};

it("requires all four fields", () => {
  expect(isComplete(form)).toBe(true);
  expect(isComplete({ ...form, subject: "  " })).toBe(false);
});

it("encodes subject and body", () => {
  const url = new URL(mailtoAddress("us@example.org", form));
  expect(url.pathname).toBe("us@example.org");
  expect(url.searchParams.get("subject")).toBe("Visium & HD?");
  expect(url.searchParams.get("body")).toBe(messageBody(form).replaceAll("\n", "\r\n"));
});
