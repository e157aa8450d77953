import { useState, type ReactNode } from "react";
import { DialogForm } from "./dialog-form.tsx";
import { TextField } from "./field.tsx";

/** A dialog's form that asks for a name. */
export function NameForm({
  label,
  initial = "",
  maxLength = 200,
  needed,
  onName,
  onCancel,
  action,
  children,
}: {
  label: string;
  initial?: string;
  maxLength?: number;
  /** Said of an empty name; without it, there is no way on while the name is empty. */
  needed?: string;
  /** Gets the name without surrounding space, and returns why it, or the whole form, cannot be taken. */
  onName: (name: string) => string | undefined | Promise<string | undefined>;
  onCancel: () => void;
  /** Word of the button. */
  action: string;
  /** What else is asked for. */
  children?: ReactNode;
}) {
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const wanted = name.trim();

  async function submit(): Promise<void> {
    if (wanted === "") return setProblem(needed);
    setBusy(true);
    setProblem(await onName(wanted));
    setBusy(false);
  }

  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onCancel}
      action={action}
      busy={busy}
      disabled={needed === undefined && wanted === ""}
    >
      <TextField
        label={label}
        error={problem}
        autoComplete="off"
        maxLength={maxLength}
        value={name}
        onText={(text) => {
          setName(text);
          setProblem(undefined);
        }}
      />
      {children}
    </DialogForm>
  );
}
