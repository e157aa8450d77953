import { Suspense, useEffect, type FormEvent } from "react";
import { Link, Redirect } from "wouter";
import { lazyPart } from "../../app/load-code.ts";
import { PageLoading } from "../../app/page-loading.tsx";
import { forgetPlace, rememberedPlace } from "../../app/resume.ts";
import { useSession } from "../../app/session.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { EmailField } from "./email-field.tsx";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { PasswordStrength } from "./password-strength.tsx";
import { SIGN_IN_TEXTS as TEXTS } from "./texts.ts";
import { useSignIn } from "./use-sign-in.ts";

const SecondStep = lazyPart(() => import("./second-step.tsx"), "SecondStep");

type SignInForm = ReturnType<typeof useSignIn>;

/** The combined sign-in and registration screen. */
export function LoginPage() {
  const session = useSession();
  const form = useSignIn();
  const { registering, second } = form;
  usePageTitle(registering ? TEXTS.registerTitle : TEXTS.signInTitle);

  useEffect(() => {
    if (session.state === "in") forgetPlace();
  }, [session.state]);

  if (session.state === "unknown") return <PageLoading />;
  if (session.state === "in") {
    const place = rememberedPlace(session.user.id);
    const to = place ? place.pathname + place.search : "/dashboard";
    return <Redirect to={to} state={place?.state} replace />;
  }
  if (second) {
    return (
      <Suspense fallback={<PageLoading />}>
        <SecondStep asked={second} onDone={form.enter} onStartAgain={form.startAgain} />
      </Suspense>
    );
  }
  return (
    <FormPage
      title={registering ? TEXTS.registerTitle : TEXTS.signInTitle}
      text={registering ? TEXTS.registerText : TEXTS.signInText}
      below={<Links form={form} />}
    >
      <Fields form={form} />
    </FormPage>
  );
}

/** Email and password, for either. */
function Fields({ form }: { form: SignInForm }) {
  const { registering, registered, form: values, setForm, message, busy, switchTo } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <StatusMessage text={message?.text} failed={message?.failed ?? false} />
      {registered && (
        <Button onClick={() => switchTo("sign-in")} className="w-full">
          {TEXTS.continueNow}
        </Button>
      )}
      <EmailField value={values.email} onText={(email) => setForm({ ...values, email })} />
      <TextField
        label={TEXTS.password}
        type="password"
        name="password"
        autoComplete={registering ? "new-password" : "current-password"}
        required
        value={values.password}
        onText={(password) => setForm({ ...values, password })}
      />
      {registering && <PasswordStrength password={values.password} />}
      {registering && (
        <TextField
          label={TEXTS.confirmation}
          type="password"
          name="confirmation"
          autoComplete="new-password"
          required
          value={values.confirmation}
          onText={(confirmation) => setForm({ ...values, confirmation })}
        />
      )}
      <Button type="submit" variant="primary" busy={busy} className="mt-2 w-full">
        {registering ? TEXTS.register : TEXTS.signIn}
      </Button>
    </form>
  );
}

/** The other ways in. */
function Links({ form }: { form: SignInForm }) {
  const { registering } = form;
  return (
    <>
      <p>
        {registering ? TEXTS.toSignIn : TEXTS.toRegister}{" "}
        <button
          type="button"
          className={TEXT_LINK}
          onClick={() => form.switchTo(registering ? "sign-in" : "register")}
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
              disabled={form.busy}
              onClick={() => void form.enterWithPasskey()}
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
  );
}
