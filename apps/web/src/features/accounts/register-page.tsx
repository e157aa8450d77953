import { register } from "@stipple/contract";
import { useState, type FormEvent } from "react";
import { Link, useLocation } from "wouter";
import { api } from "../../app/api.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { REGISTER_TEXTS as TEXTS, SIGN_IN_TEXTS } from "./texts.ts";
import { EmailField } from "./email-field.tsx";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { registerProblem } from "./form-rules.ts";
import { PasswordChecklist } from "./password-checklist.tsx";
import { PasswordField } from "./password-field.tsx";
import { useAttempt } from "../../app/use-attempt.ts";
import { useDelayedStep } from "./use-delayed-step.ts";

const EMPTY = { email: "", password: "", confirmation: "" };

/** The separate register screen with its stricter password rule. */
export function RegisterPage() {
  usePageTitle(TEXTS.title);
  const [, navigate] = useLocation();
  const [form, setForm] = useState(EMPTY);
  const { attempt, busy, message, setMessage } = useAttempt();
  const [registered, setRegistered] = useState(false);
  useDelayedStep(registered, () => navigate("/login"));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const problem = registerProblem(form);
    if (problem) return setMessage({ text: problem, failed: true });
    await attempt(async () => {
      const { email, password, confirmation: confirmPassword } = form;
      const answer = await api(register, { body: { email, password, confirmPassword } });
      setForm(EMPTY);
      setMessage({ text: answer.message || SIGN_IN_TEXTS.registered, failed: false });
      setRegistered(true);
    }, TEXTS.failed);
  };

  return (
    <FormPage
      title={TEXTS.title}
      text={TEXTS.text}
      below={
        <Link to="/login" className={TEXT_LINK}>
          {TEXTS.back}
        </Link>
      }
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <StatusMessage text={message?.text} failed={message?.failed ?? false} />
        {registered && (
          <ButtonLink to="/login" className="w-full">
            {SIGN_IN_TEXTS.continueNow}
          </ButtonLink>
        )}
        <EmailField value={form.email} onText={(email) => setForm({ ...form, email })} />
        <PasswordField
          label={SIGN_IN_TEXTS.password}
          name="password"
          autoComplete="new-password"
          value={form.password}
          onText={(password) => setForm({ ...form, password })}
        />
        <PasswordChecklist password={form.password} />
        <PasswordField
          label={SIGN_IN_TEXTS.confirmation}
          toggleName="confirmation"
          name="confirmation"
          autoComplete="new-password"
          value={form.confirmation}
          onText={(confirmation) => setForm({ ...form, confirmation })}
        />
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={registered}
          className="mt-2 w-full"
        >
          {TEXTS.submit}
        </Button>
      </form>
    </FormPage>
  );
}
