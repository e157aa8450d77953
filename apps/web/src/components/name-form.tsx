import { useState, type FormEvent, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";

/** A dialog's form that asks for a name. */
export function NameForm({
  label,
  initial = "",
  maxLength = 200,
  problem,
  onEdit,
  onName,
  onCancel,
  action,
  cancel,
  busy = false,
  children,
}: {
  label: string;
  initial?: string;
  maxLength?: number;
  /** Why the name, or the whole form, cannot be taken. */
  problem: string | undefined;
  onEdit: () => void;
  /** Gets the name without surrounding space. */
  onName: (name: string) => void;
  onCancel: () => void;
  /** Words of the buttons. */
  action: string;
  cancel: string;
  busy?: boolean;
  /** What else is asked for. */
  children?: ReactNode;
}) {
  const [name, setName] = useState(initial);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onName(name.trim());
  }

  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <TextField
        label={label}
        error={problem}
        autoComplete="off"
        maxLength={maxLength}
        value={name}
        onText={(text) => {
          setName(text);
          onEdit();
        }}
      />
      {children}
      <div className="flex flex-col-reverse gap-2 pt-2 sm:flex-row sm:justify-end">
        <Button onClick={onCancel}>{cancel}</Button>
        <Button type="submit" variant="primary" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}
