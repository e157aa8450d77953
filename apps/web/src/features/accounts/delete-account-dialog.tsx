import { deleteAccount } from "@stipple/contract";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { leaveForHome } from "../../app/session.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { toast } from "../../components/toast-store.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { CurrentPasswordField } from "./password-field.tsx";

/** Deletes the account once the user has re-entered the password. */
export function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const { attempt, busy, message, setMessage } = useAttempt();

  const close = (): void => {
    setPassword("");
    setMessage(null);
    onClose();
  };
  const submit = (): Promise<void> =>
    attempt(async () => {
      await api(deleteAccount, { body: { password } });
      toast(TEXTS.deleted);
      await leaveForHome();
    }, TEXTS.deleteFailed);

  return (
    <Dialog
      alert
      open={open}
      onClose={close}
      title={TEXTS.deleteQuestion}
      description={TEXTS.deleteWarning}
    >
      <DialogForm
        problem={message?.text}
        onSubmit={submit}
        onCancel={close}
        action={TEXTS.confirmDelete}
        cancel={TEXTS.keep}
        danger
        busy={busy}
        disabled={password === ""}
      >
        <CurrentPasswordField label={TEXTS.deletePassword} value={password} onText={setPassword} />
      </DialogForm>
    </Dialog>
  );
}
