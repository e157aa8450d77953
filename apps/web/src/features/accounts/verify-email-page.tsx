import { verifyEmail } from "@stipple/contract/routes/verify-email";
import { useEffect, useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { useBrowserLocation } from "../../app/location.tsx";
import { usePageTitle } from "../../app/use-page-title.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { VERIFY_EMAIL_TEXTS as TEXTS } from "./security/texts.ts";
import { FormPage } from "./form-page.tsx";

/** Tokens whose call is in progress or done: a link works once, and effects may run twice. */
const asked = new Map<string, Promise<{ message: string }>>();

function confirm(token: string): Promise<{ message: string }> {
  const call = asked.get(token) ?? api(verifyEmail, { body: { token } });
  asked.set(token, call);
  return call;
}

/** The page an emailed link opens. The link's token follows the `#`, so browsers never send it to a server. */
export function VerifyEmailPage() {
  usePageTitle(TEXTS.title);
  const token = useBrowserLocation().hash.slice(1);
  const [outcome, setOutcome] = useState<{ text: string; failed: boolean } | null>(
    token ? null : { text: TEXTS.incomplete, failed: true },
  );
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (!token) return;
    let isHere = true;
    confirm(token)
      .then(
        ({ message }) => ({ text: message, failed: false }),
        (error: unknown) => {
          asked.delete(token);
          return { text: errorText(error, TEXTS.failed), failed: true };
        },
      )
      .then((found) => {
        if (isHere) setOutcome(found);
      })
      .catch(() => undefined);
    return () => {
      isHere = false;
    };
  }, [token, tries]);

  return (
    <FormPage title={TEXTS.title} text={TEXTS.text} below={null}>
      <div className="flex flex-col gap-4">
        <StatusMessage text={outcome?.text ?? TEXTS.busy} failed={outcome?.failed ?? false} />
        {outcome?.failed && token && (
          <Button className="w-full" onClick={() => setTries(tries + 1)}>
            {TEXTS.tryAgain}
          </Button>
        )}
        <ButtonLink to="/profile" variant="primary" className="w-full">
          {TEXTS.profile}
        </ButtonLink>
      </div>
    </FormPage>
  );
}
