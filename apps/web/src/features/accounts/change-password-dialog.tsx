import { changePassword } from "@stipple/contract";
import { useState, type FormEvent } from "react";
import { api, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { toast } from "../../components/toast-store.ts";
import { SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { newPasswordProblem } from "./form-rules.ts";
import { NewPasswordFields, NO_PASSWORD } from "./new-password-fields.tsx";
import { PasswordInput } from "./password-input.tsx";

/** Asks for the current password and a new one. */
export function ChangePasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [current, setCurrent] = useState("");
  const [form, setForm] = useState(NO_PASSWORD);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const close = (): void => {
    setCurrent("");
    setForm(NO_PASSWORD);
    setProblem(null);
    onClose();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = newPasswordProblem({ ...form, current });
    setProblem(found);
    if (found) return;
    setBusy(true);
    try {
      const { message } = await api(changePassword, {
        body: {
          current_password: current,
          password: form.password,
          confirmPassword: form.confirmation,
        },
      });
      close();
      toast(message, { ok: true });
    } catch (error) {
      setProblem(errorText(error, TEXTS.changeFailed));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog open={open} onClose={close} title={TEXTS.change} description={TEXTS.passwordText}>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <StatusMessage text={problem} failed />
        <Field label={TEXTS.current}>
          {(control) => (
            <PasswordInput
              {...control}
              toggleName={TEXTS.current.toLowerCase()}
              name="current-password"
              autoComplete="current-password"
              required
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          )}
        </Field>
        <NewPasswordFields value={form} onChange={setForm} />
        <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button onClick={close}>{TEXTS.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {TEXTS.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
