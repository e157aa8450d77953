import { PASSWORD_MIN, REGISTER_PASSWORD_RULES } from "@stipple/contract/business/passwords";
import { REGISTER_TEXTS, SIGN_IN_TEXTS } from "./texts.ts";

export interface Credentials {
  email: string;
  password: string;
  confirmation: string;
}

export type SignInMode = "sign-in" | "register";

/** Whether the text may be an email address, by the combined form's rule. */
export function isEmailLike(email: string): boolean {
  return email.includes("@") && email.includes(".");
}

/** First problem of the combined form, in the specified order, or null. */
export function signInProblem(mode: SignInMode, form: Credentials): string | null {
  if (!isEmailLike(form.email)) return SIGN_IN_TEXTS.emailInvalid;
  if (form.password.length < PASSWORD_MIN) return SIGN_IN_TEXTS.passwordShort;
  if (mode === "register" && form.confirmation !== form.password) {
    return SIGN_IN_TEXTS.passwordsDiffer;
  }
  return null;
}

/** First problem of the separate register screen, in the specified order, or null. */
export function registerProblem(form: Credentials): string | null {
  if (!form.email || !form.password || !form.confirmation) return REGISTER_TEXTS.fieldsRequired;
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form.email)) return REGISTER_TEXTS.emailInvalid;
  return newPasswordProblem(form);
}

/**
 * First problem of a new password, by the register screen's rules. With `current`, the current password is required
 * too.
 */
export function newPasswordProblem(form: {
  password: string;
  confirmation: string;
  current?: string;
}): string | null {
  if (!form.password || !form.confirmation || form.current === "") {
    return REGISTER_TEXTS.fieldsRequired;
  }
  if (form.password !== form.confirmation) return REGISTER_TEXTS.passwordsDiffer;
  if (!REGISTER_PASSWORD_RULES.every((rule) => rule.test(form.password))) {
    return REGISTER_TEXTS.requirementsUnmet;
  }
  return null;
}
