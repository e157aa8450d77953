import { login, register, type SecondStep, type SignedIn } from "@stipple/contract";
import { useState } from "react";
import { api, ApiError, CONNECTION_ERROR } from "../../app/api.ts";
import { loadCode } from "../../app/load-code.ts";
import { noteSessionEnd, sessionEnd } from "../../app/resume.ts";
import { signIn } from "../../app/session.ts";
import { decodeToken } from "../../app/token.ts";
import { toast } from "../../components/toast-store.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { signInProblem, type SignInMode } from "./form-rules.ts";
import { SIGN_IN_TEXTS as TEXTS } from "./texts.ts";
import { useDelayedStep } from "./use-delayed-step.ts";

const EMPTY = { email: "", password: "", confirmation: "" };

/** The server's reason; `otherwise` if it gave no answer. */
const reasonOr =
  (otherwise: string) =>
  (error: unknown): string =>
    error instanceof ApiError ? error.error || TEXTS.failed : otherwise;

/** The combined screen's form: signing in, with a second step if the account has one, or creating an account. */
export function useSignIn() {
  const [mode, setMode] = useState<SignInMode>("sign-in");
  const [form, setForm] = useState(EMPTY);
  const { attempt, busy, message, setMessage } = useAttempt();
  const [registered, setRegistered] = useState(false);
  /** What is still needed after the password. */
  const [second, setSecond] = useState<SecondStep | null>(null);
  const registering = mode === "register";

  /** Changing the mode clears messages and fields. */
  const switchTo = (next: SignInMode): void => {
    noteSessionEnd(null);
    setMode(next);
    setForm(EMPTY);
    setMessage(null);
    setRegistered(false);
  };
  useDelayedStep(registered, () => switchTo("sign-in"));

  const enter = (answer: SignedIn): void => {
    if (!answer.token) throw new Error("No token received from server");
    toast(TEXTS.success, { ok: true });
    // A passkey alone identifies the user; the token holds the email address.
    const email = form.email || (decodeToken(answer.token)?.email ?? "");
    signIn(answer.token, { id: answer.userId || answer.sub, email });
  };

  /** A passkey instead of email and password. */
  const enterWithPasskey = () =>
    attempt(async () => {
      const { signInWithPasskey } = await loadCode(() => import("./passkey-sign-in.ts"));
      enter(await signInWithPasskey());
    }, reasonOr(TEXTS.noPasskey));

  const createAccount = async (): Promise<void> => {
    const { email, password, confirmation } = form;
    const body = { email, password, confirmPassword: confirmation };
    const answer = await api(register, { body });
    setForm(EMPTY);
    setMessage({ text: answer.message || TEXTS.registered, failed: false });
    setRegistered(true);
  };

  const checkPassword = async (): Promise<void> => {
    const { email, password } = form;
    const answer = await api(login, { body: { email, password } });
    if (!("ticket" in answer)) return enter(answer);
    setForm({ ...EMPTY, email });
    setSecond(answer);
  };

  const submit = async (): Promise<void> => {
    const problem = signInProblem(mode, form);
    if (problem) return setMessage({ text: problem, failed: true });
    await attempt(registering ? createAccount : checkPassword, reasonOr(CONNECTION_ERROR));
  };

  return {
    registering,
    form,
    setForm,
    /** Of this form, or why the last session ended. */
    message: message ?? sessionEnd(),
    busy,
    registered,
    second,
    startAgain: () => setSecond(null),
    switchTo,
    enter,
    enterWithPasskey,
    submit,
  };
}
