import { register } from "@stipple/contract";
import { useState, type FormEvent } from "react";
import { Link, useLocation } from "wouter";
import { api, ApiError } from "../../app/api.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { REGISTER_TEXTS as TEXTS, SIGN_IN_TEXTS } from "./texts.ts";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { registerProblem } from "./form-rules.ts";
import { PasswordChecklist } from "./password-checklist.tsx";
import { PasswordInput } from "./password-input.tsx";
import { useDelayedStep } from "./use-delayed-step.ts";

const EMPTY = { email: "", password: "", confirmation: "" };

/** The separate register screen with its stricter password rule. */
export function RegisterPage() {
  usePageTitle(TEXTS.title);
  const [, navigate] = useLocation();
  const [form, setForm] = useState(EMPTY);
  const [message, setMessage] = useState<{ text: string; failed: boolean } | null>(null);
  const [busy, setBusy] = useState(false);
  const [registered, setRegistered] = useState(false);
  useDelayedStep(registered, () => navigate("/login"));

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const problem = registerProblem(form);
    if (problem) return setMessage({ text: problem, failed: true });
    setBusy(true);
    setMessage(null);
    try {
      const { email, password, confirmation } = form;
      const answer = await api(register, {
        body: { email, password, confirmPassword: confirmation },
      });
      setForm(EMPTY);
      setMessage({ text: answer.message || SIGN_IN_TEXTS.registered, failed: false });
      setRegistered(true);
    } catch (error) {
      const text = error instanceof ApiError ? error.error || TEXTS.failed : TEXTS.failed;
      setMessage({ text, failed: true });
    } finally {
      setBusy(false);
    }
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
        <Field label={SIGN_IN_TEXTS.email}>
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
        <Field label={SIGN_IN_TEXTS.password}>
          {(control) => (
            <PasswordInput
              {...control}
              toggleName="password"
              name="password"
              autoComplete="new-password"
              required
              value={form.password}
              onChange={(event) => setForm({ ...form, password: event.target.value })}
            />
          )}
        </Field>
        <PasswordChecklist password={form.password} />
        <Field label={SIGN_IN_TEXTS.confirmation}>
          {(control) => (
            <PasswordInput
              {...control}
              toggleName="confirmation"
              name="confirmation"
              autoComplete="new-password"
              required
              value={form.confirmation}
              onChange={(event) => setForm({ ...form, confirmation: event.target.value })}
            />
          )}
        </Field>
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
