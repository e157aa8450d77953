import * as z from "zod/mini";
import { signedIn } from "./accounts.ts";
import { defineRoute } from "./define.ts";

/** What the browser's own API for passkeys takes and gives, as JSON. */
const passkeyJson = z.record(z.string(), z.unknown());

export const loginCode = defineRoute({
  method: "POST",
  path: "/login/code",
  access: "public",
  summary: "The second step with a code of an authenticator app, or a recovery code.",
  body: z.object({ ticket: z.string(), code: z.string() }),
  answers: { 200: signedIn },
});

export const startPasskeyLogin = defineRoute({
  method: "POST",
  path: "/login/passkey/start",
  access: "public",
  summary:
    "What the browser needs to ask for a passkey: as second step with a ticket, else in place of the password.",
  body: z.object({ ticket: z.optional(z.string()) }),
  answers: { 200: z.object({ ticket: z.string(), options: passkeyJson }) },
});

export const passkeyLogin = defineRoute({
  method: "POST",
  path: "/login/passkey",
  access: "public",
  summary: "Sign in with the passkey's answer.",
  body: z.object({ ticket: z.string(), response: passkeyJson }),
  answers: { 200: signedIn },
});
