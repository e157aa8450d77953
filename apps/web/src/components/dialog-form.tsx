import type { FormEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { StatusMessage } from "./status-message.tsx";

/** A dialog's form: why it failed, its fields, and the buttons. */
export function DialogForm({
  problem,
  onSubmit,
  onCancel,
  action,
  cancel = "Cancel",
  danger = false,
  busy,
  disabled = false,
  children,
}: {
  problem?: string | undefined;
  onSubmit: () => Promise<void>;
  onCancel: () => void;
  /** Words of the buttons. */
  action: string;
  cancel?: string;
  danger?: boolean;
  busy: boolean;
  disabled?: boolean;
  children: ReactNode;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void onSubmit();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <StatusMessage text={problem} failed />
      {children}
      <div className="mt-2 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button
          type="submit"
          variant={danger ? "danger" : "primary"}
          busy={busy}
          disabled={disabled}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
