/** Where the bearer token lives in the browser's local storage. */
export const TOKEN_KEY = "token";

/** The claims that the pages read from a token. For display only: the server decides what a token allows. */
export interface TokenClaims {
  sub: string;
  email: string;
}

/** Decodes a JWT's payload (base64url, UTF-8) or gives null when it is not one or lacks `sub` or `email`. */
export function decodeToken(token: string): TokenClaims | null {
  const payload = token.split(".")[1];
  if (!payload) return null;
  try {
    const base64 = payload.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof claims !== "object" || claims === null) return null;
    const { sub, email } = claims as Record<string, unknown>;
    return typeof sub === "string" && typeof email === "string" ? { sub, email } : null;
  } catch {
    return null;
  }
}

/** The stored token, or null. Storage may be forbidden (private modes); that counts as signed out. */
export function storedToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return null;
  }
}
