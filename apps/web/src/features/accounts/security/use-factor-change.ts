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
import { useState } from "react";
import { api, errorText } from "../../../app/api.ts";
import { useAttempt } from "../../../app/use-attempt.ts";
import { toast } from "../../../components/toast-store.ts";
import { FACTOR_DIALOG_TEXTS as TEXTS } from "./texts.ts";

/** The change the user asked for. Every change starts with the password. */
export type FactorChange =
  | { kind: "totp" | "passkey" | "remove-totp" | "renew-codes" }
  | { kind: "remove-passkey"; id: string; name: string };

/** Where a change stands: it asks for the password, shows the app's secret, then perhaps recovery codes. */
export type Stage =
  | { at: "password" }
  | { at: "app"; ticket: string; secret: string; uri: string }
  | { at: "codes"; codes: string[] };

export interface FactorForm {
  password: string;
  code: string;
  /** Of the passkey. */
  name: string;
}

const EMPTY: FactorForm = { password: "", code: "", name: "" };

/** Carries out a change of the second factors, stage by stage. */
export function useFactorChange(change: FactorChange | null, onClose: () => void) {
  const [stage, setStage] = useState<Stage>({ at: "password" });
  const [form, setForm] = useState(EMPTY);
  const { attempt, busy, message, setMessage } = useAttempt();

  const close = (): void => {
    setStage({ at: "password" });
    setForm(EMPTY);
    setMessage(null);
    onClose();
  };

  /** Confirms the change. Codes are shown only once, so they keep the dialog open. */
  const finish = (answer: { message: string; recovery_codes?: string[] | null }): void => {
    toast(answer.message, { ok: true });
    if (answer.recovery_codes) setStage({ at: "codes", codes: answer.recovery_codes });
    else close();
  };

  async function registerPasskey({ password, name }: FactorForm): Promise<void> {
    if (!browserSupportsWebAuthn()) return setMessage({ text: TEXTS.unsupported, failed: true });
    const { ticket, options } = await api(startPasskey, { body: { password } });
    const response = await startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    });
    finish(await api(addPasskey, { body: { ticket, name, response: { ...response } } }));
  }

  async function proceed(wanted: FactorChange): Promise<void> {
    const body = { password: form.password };
    if (stage.at === "app") {
      const { ticket } = stage;
      return finish(await api(confirmTotp, { body: { ticket, code: form.code } }));
    }
    switch (wanted.kind) {
      case "totp":
        return setStage({ at: "app", ...(await api(startTotp, { body })) });
      case "passkey":
        return registerPasskey(form);
      case "remove-totp":
        return finish(await api(removeTotp, { body }));
      case "remove-passkey":
        return finish(await api(removePasskey, { params: { id: wanted.id }, body }));
      case "renew-codes": {
        const { recovery_codes: codes } = await api(newRecoveryCodes, { body });
        return setStage({ at: "codes", codes });
      }
    }
  }

  const submit = async (): Promise<void> => {
    if (change) await attempt(() => proceed(change), reasonOf);
  };

  return { stage, form, setForm, busy, problem: message?.text, submit, close };
}

/** The browser's own message is meant for developers: the user canceled, or the device has no passkey. */
function reasonOf(error: unknown): string {
  const isBrowsers = error instanceof WebAuthnError || error instanceof DOMException;
  return isBrowsers ? TEXTS.noPasskey : errorText(error, TEXTS.failed);
}
