import { useState, type FormEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { FIXED_COLUMNS, type Design } from "./design.ts";
import { DESIGN_TEXTS as TEXTS, STUDIES_TEXTS } from "./texts.ts";

interface Adding {
  design: Design;
  onEdit: (design: Design) => void;
  onClose: () => void;
}

/** Adds a further column to the design. */
export function AddColumnDialog({ open, ...adding }: Adding & { open: boolean }) {
  return (
    <Dialog open={open} onClose={adding.onClose} title={TEXTS.addColumn}>
      {open && <AddColumn {...adding} />}
    </Dialog>
  );
}

function AddColumn({ design, onEdit, onClose }: Adding) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  function add(event: FormEvent): void {
    event.preventDefault();
    const column = name.trim();
    if (column === "") return setProblem(STUDIES_TEXTS.nameNeeded);
    const taken = ["sample", ...FIXED_COLUMNS, ...design.columns];
    if (taken.some((one) => one.toLowerCase() === column.toLowerCase())) {
      return setProblem(TEXTS.columnTaken);
    }
    onEdit({ ...design, columns: [...design.columns, column] });
    onClose();
  }
  return (
    <form noValidate onSubmit={add}>
      <Field label={TEXTS.columnName} error={problem}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={({ target }) => {
              setName(target.value);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{STUDIES_TEXTS.cancel}</Button>
        <Button type="submit" variant="primary">
          {TEXTS.add}
        </Button>
      </div>
    </form>
  );
}
