import type { SecondStep as Asked, SignedIn } from "@stipple/contract";
import { loginCode } from "@stipple/contract/routes/sign-in";
import { useState, type FormEvent } from "react";
import { api, ApiError, CONNECTION_ERROR } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { SECOND_STEP_TEXTS as TEXTS } from "./security/texts.ts";
import { FormPage, TEXT_LINK } from "./form-page.tsx";
import { signInWithPasskey } from "./passkey-sign-in.ts";

/** The step after the password, for accounts with a second factor. */
export function SecondStep({
  asked,
  onDone,
  onStartAgain,
}: {
  asked: Asked;
  onDone: (answer: SignedIn) => void;
  onStartAgain: () => void;
}) {
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState<"code" | "passkey" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const doing = async (what: "code" | "passkey", work: () => Promise<SignedIn>): Promise<void> => {
    setBusy(what);
    setProblem(null);
    try {
      onDone(await work());
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.error || TEXTS.failed);
      else setProblem(what === "passkey" ? TEXTS.passkeyFailed : CONNECTION_ERROR);
      setBusy(null);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void doing("code", () => api(loginCode, { body: { ticket: asked.ticket, code } }));
  };

  return (
    <FormPage
      title={TEXTS.title}
      text={TEXTS.text}
      below={
        <button type="button" className={TEXT_LINK} onClick={onStartAgain}>
          {TEXTS.startAgain}
        </button>
      }
    >
      <div className="flex flex-col gap-4">
        <StatusMessage text={problem} failed />
        {asked.passkeys && (
          <>
            <Button
              variant="primary"
              className="w-full"
              busy={busy === "passkey"}
              onClick={() => void doing("passkey", () => signInWithPasskey(asked.ticket))}
            >
              {TEXTS.passkey}
            </Button>
            <p className="text-center text-ink-3">{TEXTS.or}</p>
          </>
        )}
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <TextField
            label={TEXTS.code}
            hint={asked.totp ? TEXTS.codeHint : TEXTS.recoveryHint}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={20}
            required
            value={code}
            onText={setCode}
          />
          <Button
            type="submit"
            variant={asked.passkeys ? "secondary" : "primary"}
            busy={busy === "code"}
            className="w-full"
          >
            {TEXTS.confirm}
          </Button>
        </form>
      </div>
    </FormPage>
  );
}
