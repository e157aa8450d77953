import { changePassword } from "@stipple/contract";
import { useState } from "react";
import { api } from "../../app/api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { toast } from "../../components/toast-store.ts";
import { useAttempt } from "../../app/use-attempt.ts";
import { SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { newPasswordProblem } from "./form-rules.ts";
import { NewPasswordFields, NO_PASSWORD } from "./new-password-fields.tsx";
import { CurrentPasswordField } from "./password-field.tsx";

/** Asks for the current password and a new one. */
export function ChangePasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [current, setCurrent] = useState("");
  const [form, setForm] = useState(NO_PASSWORD);
  const { attempt, busy, message, setMessage } = useAttempt();

  const close = (): void => {
    setCurrent("");
    setForm(NO_PASSWORD);
    setMessage(null);
    onClose();
  };
  const submit = async (): Promise<void> => {
    const problem = newPasswordProblem({ ...form, current });
    if (problem) return setMessage({ text: problem, failed: true });
    await attempt(async () => {
      const { password, confirmation: confirmPassword } = form;
      const body = { current_password: current, password, confirmPassword };
      const answer = await api(changePassword, { body });
      close();
      toast(answer.message, { ok: true });
    }, TEXTS.changeFailed);
  };

  return (
    <Dialog open={open} onClose={close} title={TEXTS.change} description={TEXTS.passwordText}>
      <DialogForm
        problem={message?.text}
        onSubmit={submit}
        onCancel={close}
        action={TEXTS.save}
        cancel={TEXTS.cancel}
        busy={busy}
      >
        <CurrentPasswordField label={TEXTS.current} value={current} onText={setCurrent} />
        <NewPasswordFields value={form} onChange={setForm} />
      </DialogForm>
    </Dialog>
  );
}
