import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
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
  const [problem, setProblem] = useState<string>();

  function add(column: string): void {
    if (column === "") return setProblem(STUDIES_TEXTS.nameNeeded);
    const taken = ["sample", ...FIXED_COLUMNS, ...design.columns];
    if (taken.some((one) => one.toLowerCase() === column.toLowerCase())) {
      return setProblem(TEXTS.columnTaken);
    }
    onEdit({ ...design, columns: [...design.columns, column] });
    onClose();
  }

  return (
    <NameForm
      label={TEXTS.columnName}
      maxLength={60}
      problem={problem}
      onEdit={() => setProblem(undefined)}
      onName={add}
      onCancel={onClose}
      action={TEXTS.add}
      cancel={STUDIES_TEXTS.cancel}
    />
  );
}
