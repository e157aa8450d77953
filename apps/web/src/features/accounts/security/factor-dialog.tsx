import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { DialogForm } from "../../../components/dialog-form.tsx";
import { TextField } from "../../../components/field.tsx";
import { FACTOR_DIALOG_TEXTS as TEXTS } from "./texts.ts";
import { CurrentPasswordField } from "../password-field.tsx";
import { useFactorChange, type FactorChange, type Stage } from "./use-factor-change.ts";
import { encode } from "uqr";
import { saveFile } from "../../../components/save-drawing.ts";
import { toast } from "../../../components/toast-store.ts";

const FILE_NAME = "stipple-recovery-codes.txt";

/** Adds or removes a second factor, or makes new recovery codes. Closed while `change` is null. */
export function FactorDialog({
  change,
  onClose,
}: {
  change: FactorChange | null;
  onClose: () => void;
}) {
  const { stage, form, setForm, busy, problem, submit, close } = useFactorChange(change, onClose);
  const open = change !== null;
  if (stage.at === "codes") {
    return (
      <Dialog
        alert
        open={open}
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
  const words = change ? wordsOf(change, stage) : { title: "", text: "", submit: "" };
  return (
    <Dialog open={open} onClose={close} title={words.title} description={words.text}>
      <DialogForm
        problem={problem}
        onSubmit={submit}
        onCancel={close}
        action={words.submit}
        danger={words.danger ?? false}
        busy={busy}
      >
        {stage.at === "app" && (
          <ScannedApp {...stage} code={form.code} onCode={(code) => setForm({ ...form, code })} />
        )}
        {stage.at === "password" && change?.kind === "passkey" && (
          <TextField
            label={TEXTS.passkeyName}
            hint={TEXTS.passkeyNameHint}
            name="passkey-name"
            maxLength={60}
            value={form.name}
            onText={(name) => setForm({ ...form, name })}
          />
        )}
        {stage.at === "password" && (
          <CurrentPasswordField
            label={TEXTS.password}
            value={form.password}
            onText={(password) => setForm({ ...form, password })}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

/** The secret for an authenticator app, and the code that the app shows. */
function ScannedApp({
  uri,
  secret,
  code,
  onCode,
}: {
  uri: string;
  secret: string;
  code: string;
  onCode: (code: string) => void;
}) {
  return (
    <>
      <QrCode text={uri} label={TEXTS.totpQr} />
      <div>
        <p className="text-ink-3">{TEXTS.totpSecret}</p>
        <code className="font-mono text-[0.8125rem] break-all select-all">{secret}</code>
      </div>
      <TextField
        label={TEXTS.totpCode}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
        required
        value={code}
        onText={onCode}
      />
    </>
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

/** A QR code, black on white whatever the page's colors are, so that every camera reads it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-52 rounded-control bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The codes, to copy or save: they cannot be shown again. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join("\n")}\n`;
  const save = (): void => saveFile(new Blob([text], { type: "text/plain" }), FILE_NAME);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    toast(TEXTS.codesCopied, { ok: true });
  };
  return (
    <div className="flex flex-col gap-4">
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-card border border-line bg-canvas px-4 py-3 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {/* Browsers do not offer the clipboard to pages loaded without TLS. */}
        {window.isSecureContext && (
          <Button size="sm" onClick={() => void copy()}>
            {TEXTS.codesCopy}
          </Button>
        )}
        <Button size="sm" onClick={save}>
          {TEXTS.codesSave}
        </Button>
      </div>
    </div>
  );
}
