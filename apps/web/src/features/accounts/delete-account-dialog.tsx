import { deleteAccount } from "@stipple/contract";
import { useState, type FormEvent } from "react";
import { api, errorText } from "../../app/api.ts";
import { leaveForHome } from "../../app/session.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { toast } from "../../components/toast-store.ts";
import { SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { PasswordInput } from "./password-input.tsx";

/** Deletes the account once the user has re-entered the password. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const close = (): void => {
    setPassword("");
    setProblem(null);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await api(deleteAccount, { body: { password } });
      toast(TEXTS.deleted);
      void leaveForHome();
    } catch (error) {
      setProblem(errorText(error, TEXTS.deleteFailed));
      setBusy(false);
    }
  };

  return (
    <Dialog
      alert
      open={open}
      onClose={close}
      title={TEXTS.deleteQuestion}
      description={TEXTS.deleteWarning}
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <StatusMessage text={problem} failed />
        <Field label={TEXTS.deletePassword}>
          {(control) => (
            <PasswordInput
              {...control}
              toggleName={TEXTS.deletePassword.toLowerCase()}
              name="current-password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={close}>{TEXTS.keep}</Button>
          <Button type="submit" variant="danger" busy={busy} disabled={password === ""}>
            {TEXTS.confirmDelete}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
