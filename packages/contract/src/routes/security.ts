import * as z from "zod/mini";
import { defineRoute } from "./define.ts";

/** Input and output of the browser's passkey API, as JSON. */
const passkeyJson = z.record(z.string(), z.unknown());
const message = z.object({ message: z.string() });

export const accountSecurity = defineRoute("GET", "/account/security", "session", {
  summary:
    "How the caller signs in: second factors, recovery codes, and whether the email is confirmed.",
  answers: {
    200: z.object({
      totp_since: z.nullable(z.string()),
      passkeys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          created_at: z.string(),
          last_used_at: z.nullable(z.string()),
        }),
      ),
      recovery_codes_left: z.int(),
      email_verified: z.boolean(),
      /** Whether this installation can send the link. */
      can_verify_email: z.boolean(),
    }),
  },
});
export type AccountSecurity = z.infer<(typeof accountSecurity)["answers"][200]>;

const password = z.object({ password: z.string() });
/** Shown once: with the first second factor, and when new ones are requested. */
const recoveryCodes = z.array(z.string());

export const startTotp = defineRoute("POST", "/account/totp", "session", {
  summary:
    "A new secret for an authenticator app. It takes effect once a code from it is confirmed.",
  body: password,
  answers: { 200: z.object({ ticket: z.string(), secret: z.string(), uri: z.string() }) },
});

export const confirmTotp = defineRoute("POST", "/account/totp/confirm", "session", {
  summary: "Turn on the authenticator app with a code it shows.",
  body: z.object({ ticket: z.string(), code: z.string() }),
  answers: {
    200: z.object({ message: z.string(), recovery_codes: z.nullable(recoveryCodes) }),
  },
});

export const removeTotp = defineRoute("POST", "/account/totp/remove", "session", {
  summary: "Turn off the authenticator app.",
  body: password,
  answers: { 200: message },
});

export const startPasskey = defineRoute("POST", "/account/passkeys", "session", {
  summary: "What the browser needs to create a passkey.",
  body: password,
  answers: { 200: z.object({ ticket: z.string(), options: passkeyJson }) },
});

export const addPasskey = defineRoute("POST", "/account/passkeys/add", "session", {
  summary: "Store the passkey the browser created.",
  body: z.object({ ticket: z.string(), name: z.string(), response: passkeyJson }),
  answers: {
    200: z.object({ message: z.string(), recovery_codes: z.nullable(recoveryCodes) }),
  },
});

export const removePasskey = defineRoute("POST", "/account/passkeys/:id/remove", "session", {
  summary: "Remove a passkey.",
  body: password,
  answers: { 200: message },
});

export const newRecoveryCodes = defineRoute("POST", "/account/recovery-codes", "session", {
  summary: "Ten new recovery codes; the old ones no longer work.",
  body: password,
  answers: { 200: z.object({ recovery_codes: recoveryCodes }) },
});

export const listSessions = defineRoute("GET", "/account/sessions", "session", {
  summary: "Where the caller is signed in, most recently used first.",
  answers: {
    200: z.array(
      z.object({
        id: z.string(),
        created_at: z.string(),
        /** Accurate to a few minutes. */
        last_seen_at: z.string(),
        address: z.nullable(z.string()),
        /** In plain words: "Firefox on Linux". */
        device: z.nullable(z.string()),
        /** Whether it made this call. */
        current: z.boolean(),
      }),
    ),
  },
});
export type SessionEntry = z.infer<(typeof listSessions)["answers"][200]>[number];

export const endSession = defineRoute("DELETE", "/account/sessions/:id", "session", {
  summary: "Sign out one of the caller's sessions.",
  answers: { 200: message },
});

export const endOtherSessions = defineRoute("POST", "/account/end-other-sessions", "session", {
  summary: "Sign out all of the caller's sessions except the one making this call.",
  answers: { 200: message },
});

export const sendVerification = defineRoute("POST", "/account/verify-email", "session", {
  summary: "Email a link that confirms the caller's email address.",
  answers: {
    200: z.object({
      message: z.string(),
      /** Where to read emails on an installation without a mail server; null with one. */
      outbox_url: z.nullable(z.string()),
    }),
  },
});
