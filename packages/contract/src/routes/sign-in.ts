import * as z from "zod/mini";
import { signedIn } from "./accounts.ts";
import { defineRoute } from "./define.ts";

/** Input and output of the browser's passkey API, as JSON. */
const passkeyJson = z.record(z.string(), z.unknown());

export const loginCode = defineRoute("POST", "/login/code", "public", {
  summary: "Complete the second step with an authenticator app code or a recovery code.",
  body: z.object({ ticket: z.string(), code: z.string() }),
  answers: { 200: signedIn },
});

export const startPasskeyLogin = defineRoute("POST", "/login/passkey/start", "public", {
  summary:
    "What the browser needs to ask for a passkey: as a second step with a ticket, otherwise instead of a password.",
  body: z.object({ ticket: z.optional(z.string()) }),
  answers: { 200: z.object({ ticket: z.string(), options: passkeyJson }) },
});

export const passkeyLogin = defineRoute("POST", "/login/passkey", "public", {
  summary: "Sign in with the passkey's response.",
  body: z.object({ ticket: z.string(), response: passkeyJson }),
  answers: { 200: signedIn },
});
