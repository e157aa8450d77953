import {
  addPasskey,
  confirmTotp,
  newRecoveryCodes,
  removePasskey,
  removeTotp,
  startPasskey,
  startTotp,
} from "@stipple/contract/routes/security";
import {
  browserSupportsWebAuthn,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
} from "@simplewebauthn/browser";
import { useState, type FormEvent } from "react";
import { api, errorText } from "../../../app/api.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Field, Input } from "../../../components/field.tsx";
import { StatusMessage } from "../../../components/status-message.tsx";
import { toast } from "../../../components/toast-store.ts";
import { FACTOR_DIALOG_TEXTS as TEXTS } from "./texts.ts";
import { PasswordInput } from "../password-input.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** The change the user asked for. Every change starts with the password. */
export type FactorChange =
  | { kind: "totp" | "passkey" | "remove-totp" | "renew-codes" }
  | { kind: "remove-passkey"; id: string; name: string };

/** Where the dialog stands: it asks for the password, shows the app's secret, then perhaps recovery codes. */
type Stage =
  | { at: "password" }
  | { at: "app"; ticket: string; secret: string; uri: string }
  | { at: "codes"; codes: string[] };

const EMPTY = { password: "", code: "", name: "" };

/** Adds or removes a second factor, or makes new recovery codes. Closed while `change` is null. */
export function FactorDialog({
  change,
  onClose,
}: {
  change: FactorChange | null;
  onClose: () => void;
}) {
  const [stage, setStage] = useState<Stage>({ at: "password" });
  const [form, setForm] = useState(EMPTY);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const close = (): void => {
    setStage({ at: "password" });
    setForm(EMPTY);
    setProblem(null);
    onClose();
  };

  /** Confirms the change. Codes are shown only once, so they keep the dialog open. */
  const finish = (message: string, codes: string[] | null): void => {
    toast(message, { ok: true });
    if (codes) setStage({ at: "codes", codes });
    else close();
  };

  async function proceed(wanted: FactorChange): Promise<void> {
    const { password } = form;
    if (stage.at === "app") {
      const { ticket } = stage;
      const answer = await api(confirmTotp, { body: { ticket, code: form.code } });
      return finish(answer.message, answer.recovery_codes);
    }
    switch (wanted.kind) {
      case "totp":
        return setStage({ at: "app", ...(await api(startTotp, { body: { password } })) });
      case "passkey": {
        if (!browserSupportsWebAuthn()) return setProblem(TEXTS.unsupported);
        const { ticket, options } = await api(startPasskey, { body: { password } });
        const response = await startRegistration({
          optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
        });
        const answer = await api(addPasskey, {
          body: { ticket, name: form.name, response: { ...response } },
        });
        return finish(answer.message, answer.recovery_codes);
      }
      case "remove-totp":
        return finish((await api(removeTotp, { body: { password } })).message, null);
      case "remove-passkey": {
        const { id } = wanted;
        const answer = await api(removePasskey, { params: { id }, body: { password } });
        return finish(answer.message, null);
      }
      case "renew-codes": {
        const answer = await api(newRecoveryCodes, { body: { password } });
        return setStage({ at: "codes", codes: answer.recovery_codes });
      }
    }
  }

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!change) return;
    setBusy(true);
    setProblem(null);
    try {
      await proceed(change);
    } catch (error) {
      // The browser's own message is meant for developers: the user canceled, or the device has no passkey.
      const browser = error instanceof WebAuthnError || error instanceof DOMException;
      setProblem(browser ? TEXTS.noPasskey : errorText(error, TEXTS.failed));
    } finally {
      setBusy(false);
    }
  };

  const words = change ? wordsOf(change, stage) : { title: "", text: "", submit: "" };
  if (stage.at === "codes") {
    return (
      <Dialog
        alert
        open={change !== null}
        onClose={close}
        title={TEXTS.codesTitle}
        description={TEXTS.codesText}
        actions={
          <Button variant="primary" onClick={close}>
            {TEXTS.done}
          </Button>
        }
      >
        <RecoveryCodes codes={stage.codes} />
      </Dialog>
    );
  }
  return (
    <Dialog open={change !== null} onClose={close} title={words.title} description={words.text}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <StatusMessage text={problem} failed />
        {stage.at === "app" ? (
          <>
            <QrCode text={stage.uri} label={TEXTS.totpQr} />
            <div>
              <p className="text-ink-3">{TEXTS.totpSecret}</p>
              <code className="font-mono text-[0.8125rem] break-all select-all">
                {stage.secret}
              </code>
            </div>
            <Field label={TEXTS.totpCode}>
              {(control) => (
                <Input
                  {...control}
                  name="code"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  maxLength={10}
                  required
                  value={form.code}
                  onChange={(event) => setForm({ ...form, code: event.target.value })}
                />
              )}
            </Field>
          </>
        ) : (
          <>
            {change?.kind === "passkey" && (
              <Field label={TEXTS.passkeyName} hint={TEXTS.passkeyNameHint}>
                {(control) => (
                  <Input
                    {...control}
                    name="passkey-name"
                    maxLength={60}
                    value={form.name}
                    onChange={(event) => setForm({ ...form, name: event.target.value })}
                  />
                )}
              </Field>
            )}
            <Field label={TEXTS.password}>
              {(control) => (
                <PasswordInput
                  {...control}
                  toggleName={TEXTS.password.toLowerCase()}
                  name="current-password"
                  autoComplete="current-password"
                  required
                  value={form.password}
                  onChange={(event) => setForm({ ...form, password: event.target.value })}
                />
              )}
            </Field>
          </>
        )}
        <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={close}>{TEXTS.cancel}</Button>
          <Button type="submit" variant={words.danger ? "danger" : "primary"} busy={busy}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function wordsOf(
  change: FactorChange,
  stage: Stage,
): { title: string; text: string; submit: string; danger?: boolean } {
  switch (change.kind) {
    case "totp":
      return stage.at === "app"
        ? { title: TEXTS.totpTitle, text: TEXTS.totpScan, submit: TEXTS.totpConfirm }
        : { title: TEXTS.totpTitle, text: TEXTS.totpPassword, submit: TEXTS.next };
    case "passkey":
      return { title: TEXTS.passkeyTitle, text: TEXTS.passkeyPassword, submit: TEXTS.next };
    case "remove-totp":
      return {
        title: TEXTS.removeTotpTitle,
        text: TEXTS.removeTotpText,
        submit: TEXTS.remove,
        danger: true,
      };
    case "remove-passkey":
      return {
        title: TEXTS.removePasskeyTitle,
        text: TEXTS.removePasskeyText(change.name),
        submit: TEXTS.remove,
        danger: true,
      };
    case "renew-codes":
      return { title: TEXTS.renewTitle, text: TEXTS.renewText, submit: TEXTS.renew };
  }
}
