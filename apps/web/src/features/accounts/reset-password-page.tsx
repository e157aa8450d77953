import { resetPassword } from "@stipple/contract";
import { useState, type FormEvent } from "react";
import { Link } from "wouter";
import { api } from "../../app/api.ts";
import { useBrowserLocation } from "../../app/location.tsx";
import { endSession, useSession } from "../../app/session.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { useAttempt } from "../../app/use-attempt.ts";
import { RESET_TEXTS as TEXTS } from "./texts.ts";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { newPasswordProblem } from "./form-rules.ts";
import { NewPasswordFields, NO_PASSWORD } from "./new-password-fields.tsx";

/** The page an emailed link opens. The link's token follows the `#`, so browsers never send it to a server. */
export function ResetPasswordPage() {
  usePageTitle(TEXTS.title);
  const session = useSession();
  const token = useBrowserLocation().hash.slice(1);
  const [form, setForm] = useState(NO_PASSWORD);
  const [done, setDone] = useState<string | null>(null);
  const { attempt, busy, message, setMessage } = useAttempt(token ? undefined : TEXTS.incomplete);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const problem = token ? newPasswordProblem(form) : TEXTS.incomplete;
    if (problem) return setMessage({ text: problem, failed: true });
    await attempt(async () => {
      const { password, confirmation: confirmPassword } = form;
      const answer = await api(resetPassword, { body: { token, password, confirmPassword } });
      // Every session has ended, this browser's too.
      if (session.state === "in") endSession();
      setForm(NO_PASSWORD);
      setDone(answer.message);
    }, TEXTS.failed);
  };

  return (
    <FormPage
      title={TEXTS.title}
      text={TEXTS.text}
      below={
        <Link to="/forgot-password" className={TEXT_LINK}>
          {TEXTS.requestNew}
        </Link>
      }
    >
      {done ? (
        <div className="flex flex-col gap-4">
          <StatusMessage text={done} />
          <ButtonLink to="/login" variant="primary" className="w-full">
            {TEXTS.signIn}
          </ButtonLink>
        </div>
      ) : (
        <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <StatusMessage text={message?.text} failed />
          <NewPasswordFields value={form} onChange={setForm} />
          <Button type="submit" variant="primary" busy={busy} className="mt-2 w-full">
            {TEXTS.submit}
          </Button>
        </form>
      )}
    </FormPage>
  );
}
