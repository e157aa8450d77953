import { ApiError } from "../http/api-error.ts";

const LONGEST_EMAIL = 254;
/** In one pass over texts of any length: no part can take characters that the next one could take as well. */
const SHAPE = /^[^\s@\0]+@[^\s@\0][^\s@\0.]*\.[^\s@\0]+$/;
/** Invisible characters: control characters, joiners, zero-width characters, variation selectors, fillers, tags. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;
/** What separates or frames addresses in the header of an email: "a,b@c.org" would be written to b@c.org. */
const FRAMING = /[()<>[\]:;,"\\]/;

/**
 * An address in the one spelling under which it is stored: full-width and other compatibility forms become the letters
 * that they look like (NFKC). Letter case is kept; addresses are compared without it.
 */
export function plainEmail(text: string): string {
  return text.trim().normalize("NFKC");
}

/** Whether the text may be an address, also one that an early version stored. */
export function isEmailShaped(text: string): boolean {
  return SHAPE.test(plainEmail(text));
}

/**
 * The address to store or to write to. Throws email_invalid for anything else, and for an address with invisible
 * characters, which would look like another person's.
 */
export function emailAddress(text: string): string {
  const email = plainEmail(text);
  if (UNSEEN.test(email)) {
    throw new ApiError(
      "email_invalid",
      "This email address contains an invisible character. Please type it instead of pasting it.",
    );
  }
  if (!isEmailShaped(email) || email.length > LONGEST_EMAIL || FRAMING.test(email)) {
    throw new ApiError("email_invalid");
  }
  return email;
}
