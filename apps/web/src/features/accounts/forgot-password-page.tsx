import { requestPasswordReset } from "@stipple/contract";
import { useState, type FormEvent } from "react";
import { Link } from "wouter";
import { api } from "../../app/api.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { useAttempt } from "../../app/use-attempt.ts";
import { EmailField } from "./email-field.tsx";
import { FORGOT_TEXTS as TEXTS } from "./texts.ts";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { isEmailLike } from "./form-rules.ts";

/** Requests an email with a link to choose a new password. The response never reveals whether the account exists. */
export function ForgotPasswordPage() {
  usePageTitle(TEXTS.title);
  const [email, setEmail] = useState("");
  const { attempt, busy, message, setMessage } = useAttempt();
  const [outbox, setOutbox] = useState<string | null>(null);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isEmailLike(email)) return setMessage({ text: TEXTS.emailInvalid, failed: true });
    await attempt(async () => {
      const answer = await api(requestPasswordReset, { body: { email } });
      setMessage({ text: answer.message, failed: false });
      setOutbox(answer.outbox_url);
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
        {outbox && (
          <Notice tone="info">
            {TEXTS.outbox}{" "}
            <a href={outbox} target="_blank" rel="noreferrer" className={TEXT_LINK}>
              {TEXTS.outboxAction}
            </a>
          </Notice>
        )}
        <EmailField value={email} onText={setEmail} />
        <Button type="submit" variant="primary" busy={busy} className="mt-2 w-full">
          {TEXTS.submit}
        </Button>
      </form>
    </FormPage>
  );
}
