import { login, register, type SecondStep as Asked, type SignedIn } from "@stipple/contract";
import { lazy, Suspense, useEffect, useState, type FormEvent } from "react";
import { Link, Redirect } from "wouter";
import { api, ApiError } from "../../app/api.ts";
import { loadCode } from "../../app/load-code.ts";
import { PageLoading } from "../../app/page-loading.tsx";
import { forgetPlace, noteSessionEnd, rememberedPlace, sessionEnd } from "../../app/resume.ts";
import { signIn, useSession } from "../../app/session.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { decodeToken } from "../../app/token.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { toast } from "../../components/toast-store.ts";
import { SIGN_IN_TEXTS as TEXTS } from "./texts.ts";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { signInProblem, type SignInMode } from "./form-rules.ts";
import { useDelayedStep } from "./use-delayed-step.ts";

const SecondStep = lazy(async () => ({
  default: (await loadCode(() => import("./second-step.tsx"))).SecondStep,
}));

const EMPTY = { email: "", password: "", confirmation: "" };

/** The combined sign-in and registration screen. */
export function LoginPage() {
  const session = useSession();
  const [mode, setMode] = useState<SignInMode>("sign-in");
  const [form, setForm] = useState(EMPTY);
  const [message, setMessage] = useState<{ text: string; failed: boolean } | null>(null);
  const [busy, setBusy] = useState(false);
  const [registered, setRegistered] = useState(false);
  /** What is still needed after the password. */
  const [second, setSecond] = useState<Asked | null>(null);
  const registering = mode === "register";
  usePageTitle(registering ? TEXTS.registerTitle : TEXTS.signInTitle);

  useEffect(() => {
    if (session.state === "in") forgetPlace();
  }, [session.state]);

  const shown = message ?? sessionEnd();

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
  const enterWithPasskey = async (): Promise<void> => {
    setBusy(true);
    setMessage(null);
    try {
      const { signInWithPasskey } = await loadCode(() => import("./passkey-sign-in.ts"));
      enter(await signInWithPasskey());
    } catch (error) {
      const text = error instanceof ApiError ? error.error || TEXTS.failed : TEXTS.noPasskey;
      setMessage({ text, failed: true });
    } finally {
      setBusy(false);
    }
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const problem = signInProblem(mode, form);
    if (problem) return setMessage({ text: problem, failed: true });
    setBusy(true);
    setMessage(null);
    const { email, password, confirmation } = form;
    try {
      if (registering) {
        const answer = await api(register, {
          body: { email, password, confirmPassword: confirmation },
        });
        setForm(EMPTY);
        setMessage({ text: answer.message || TEXTS.registered, failed: false });
        setRegistered(true);
      } else {
        const answer = await api(login, { body: { email, password } });
        if ("ticket" in answer) {
          setForm({ ...EMPTY, email });
          setSecond(answer);
        } else enter(answer);
      }
    } catch (error) {
      const text = error instanceof ApiError ? error.error || TEXTS.failed : TEXTS.connection;
      setMessage({ text, failed: true });
    } finally {
      setBusy(false);
    }
  };

  if (session.state === "unknown") return <PageLoading />;
  if (session.state === "in") {
    const place = rememberedPlace(session.user.id);
    const to = place ? place.pathname + place.search : "/dashboard";
    return <Redirect to={to} state={place?.state} replace />;
  }
  if (second) {
    return (
      <Suspense fallback={<PageLoading />}>
        <SecondStep asked={second} onDone={enter} onStartAgain={() => setSecond(null)} />
      </Suspense>
    );
  }
  return (
    <FormPage
      title={registering ? TEXTS.registerTitle : TEXTS.signInTitle}
      text={registering ? TEXTS.registerText : TEXTS.signInText}
      below={
        <>
          <p>
            {registering ? TEXTS.toSignIn : TEXTS.toRegister}{" "}
            <button
              type="button"
              className={TEXT_LINK}
              onClick={() => switchTo(registering ? "sign-in" : "register")}
            >
              {registering ? TEXTS.toSignInAction : TEXTS.toRegisterAction}
            </button>
          </p>
          {!registering && (
            <>
              <Link to="/forgot-password" className={TEXT_LINK}>
                {TEXTS.forgot}
              </Link>
              {"PublicKeyCredential" in window && (
                <button
                  type="button"
                  className={TEXT_LINK}
                  disabled={busy}
                  onClick={() => void enterWithPasskey()}
                >
                  {TEXTS.passkey}
                </button>
              )}
            </>
          )}
          <Link to="/register" className={TEXT_LINK}>
            {TEXTS.separateScreen}
          </Link>
        </>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <StatusMessage text={shown?.text} failed={shown?.failed ?? false} />
        {registered && (
          <Button onClick={() => switchTo("sign-in")} className="w-full">
            {TEXTS.continueNow}
          </Button>
        )}
        <Field label={TEXTS.email}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="username"
              required
              value={form.email}
              onChange={(event) => setForm({ ...form, email: event.target.value })}
            />
          )}
        </Field>
        <Field label={TEXTS.password}>
          {(control) => (
            <Input
              {...control}
              type="password"
              name="password"
              autoComplete={registering ? "new-password" : "current-password"}
              required
              value={form.password}
              onChange={(event) => setForm({ ...form, password: event.target.value })}
            />
          )}
        </Field>
        {registering && (
          <Field label={TEXTS.confirmation}>
            {(control) => (
              <Input
                {...control}
                type="password"
                name="confirmation"
                autoComplete="new-password"
                required
                value={form.confirmation}
                onChange={(event) => setForm({ ...form, confirmation: event.target.value })}
              />
            )}
          </Field>
        )}
        <Button type="submit" variant="primary" busy={busy} className="mt-2 w-full">
          {registering ? TEXTS.register : TEXTS.signIn}
        </Button>
      </form>
    </FormPage>
  );
}
