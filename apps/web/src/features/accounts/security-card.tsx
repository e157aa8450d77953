import { exportAccount, changePassword, deleteAccount } from "@stipple/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { apiResponse, errorText, api } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { SettingRow } from "../../components/setting-row.tsx";
import { saveFile } from "../../components/save-drawing.ts";
import { toast } from "../../components/toast-store.ts";
import { SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { Dialog } from "../../components/dialog.tsx";
import { DialogForm } from "../../components/dialog-form.tsx";
import { useAttempt } from "../../app/use-attempt.ts";
import { newPasswordProblem } from "./form-rules.ts";
import { NewPasswordFields, NO_PASSWORD } from "./new-password-fields.tsx";
import { CurrentPasswordField } from "./password-field.tsx";
import { leaveForHome } from "../../app/leave-for-home.ts";

/** Password, stored data and the end of the account. */
export function SecurityCard() {
  const [asking, setAsking] = useState<"password" | "delete" | null>(null);
  const close = (): void => setAsking(null);

  const download = useMutation({
    mutationFn: async () => {
      const response = await apiResponse(exportAccount);
      saveFile(await response.blob(), "stipple-account.json");
    },
    onError: (error) => toast(errorText(error, TEXTS.exportFailed), { failed: true }),
  });

  return (
    <Card title={TEXTS.title} description={TEXTS.description}>
      <div className="divide-y divide-line">
        <SettingRow title={TEXTS.passwordTitle} text={TEXTS.passwordText}>
          <Button size="sm" onClick={() => setAsking("password")}>
            {TEXTS.change}
          </Button>
        </SettingRow>
        <SettingRow title={TEXTS.exportTitle} text={TEXTS.exportText}>
          <Button size="sm" busy={download.isPending} onClick={() => download.mutate()}>
            {TEXTS.export}
          </Button>
        </SettingRow>
        <SettingRow title={TEXTS.deleteTitle} text={TEXTS.deleteText}>
          <Button
            size="sm"
            variant="ghost"
            className="text-bad!"
            onClick={() => setAsking("delete")}
          >
            {TEXTS.delete}
          </Button>
        </SettingRow>
      </div>
      <ChangePasswordDialog open={asking === "password"} onClose={close} />
      <DeleteAccountDialog open={asking === "delete"} onClose={close} />
    </Card>
  );
}

/** Asks for the current password and a new one. */
function ChangePasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
        busy={busy}
      >
        <CurrentPasswordField label={TEXTS.current} value={current} onText={setCurrent} />
        <NewPasswordFields value={form} onChange={setForm} />
      </DialogForm>
    </Dialog>
  );
}

/** Deletes the account once the user has re-entered the password. */
function DeleteAccountDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [password, setPassword] = useState("");
  const { attempt, busy, message, setMessage } = useAttempt();

  const close = (): void => {
    setPassword("");
    setMessage(null);
    onClose();
  };
  const submit = async (): Promise<void> => {
    await attempt(async () => {
      await api(deleteAccount, { body: { password } });
      toast(TEXTS.deleted);
      await leaveForHome();
    }, TEXTS.deleteFailed);
  };

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
