import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "./button.tsx";
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
  cancel,
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
  /** Words of the buttons. */
  action: string;
  cancel: string;
  /** What else is asked for. */
  children?: ReactNode;
}) {
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const wanted = name.trim();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (wanted === "") return setProblem(needed);
    setBusy(true);
    setProblem(await onName(wanted));
    setBusy(false);
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="space-y-4">
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
      <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          disabled={needed === undefined && wanted === ""}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
