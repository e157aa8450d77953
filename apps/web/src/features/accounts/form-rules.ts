import { PASSWORD_MIN, REGISTER_PASSWORD_RULES } from "@stipple/contract/business/passwords";
import { REGISTER_TEXTS, SIGN_IN_TEXTS } from "../../texts/accounts.ts";

export interface Credentials {
  email: string;
  password: string;
  confirmation: string;
}

export type SignInMode = "sign-in" | "register";

/** First problem of the combined form, in the specified order, or null. */
export function signInProblem(mode: SignInMode, form: Credentials): string | null {
  if (!form.email.includes("@") || !form.email.includes(".")) return SIGN_IN_TEXTS.emailInvalid;
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
  if (form.password !== form.confirmation) return REGISTER_TEXTS.passwordsDiffer;
  if (!REGISTER_PASSWORD_RULES.every((rule) => rule.test(form.password))) {
    return REGISTER_TEXTS.requirementsUnmet;
  }
  return null;
}
