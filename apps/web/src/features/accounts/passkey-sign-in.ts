import type { SignedIn } from "@stipple/contract";
import { passkeyLogin, startPasskeyLogin } from "@stipple/contract/routes/sign-in";
import {
  startAuthentication,
  type PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { api } from "../../app/api.ts";

/**
 * Asks the browser for a passkey: with a ticket, one of the account whose password was correct; without, any account's.
 * Throws ApiError if the server refuses it, and the browser's own error if there is none.
 */
export async function signInWithPasskey(ticket?: string): Promise<SignedIn> {
  const asked = await api(startPasskeyLogin, { body: ticket === undefined ? {} : { ticket } });
  const response = await startAuthentication({
    optionsJSON: asked.options as unknown as PublicKeyCredentialRequestOptionsJSON,
  });
  return api(passkeyLogin, { body: { ticket: asked.ticket, response: { ...response } } });
}
