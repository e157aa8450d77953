import { useState } from "react";
import { errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { FileButton } from "../../components/file-button.tsx";
import { Card } from "../../components/card.tsx";
import { StatusMessage } from "../../components/status-message.tsx";
import { designCsv, FIXED_COLUMNS, withCsv, type Design } from "./design.ts";
import { DesignTable } from "./design-table.tsx";
import { tableText } from "../../project/table-text.ts";
import { DESIGN_TEXTS as TEXTS, STUDIES_TEXTS, TABLE_FAULTS } from "./texts.ts";
import type { EditedDesign } from "./use-edited-design.ts";
import { useChoosableProjects } from "./use-studies.ts";
import { Dialog } from "../../components/dialog.tsx";
import { NameForm } from "../../components/name-form.tsx";
import { saveFile } from "../../components/save-drawing.ts";
import { ProjectChoice } from "./project-choice.tsx";

/** The samples and what each is, as a table to edit. */
export function DesignCard({
  design,
  editing: { isSaved, saving, edit: onEdit, discard },
}: {
  design: Design;
  editing: EditedDesign;
}) {
  const [dialog, setDialog] = useState<"projects" | "column" | null>(null);
  const [said, setSaid] = useState<{ text: string; failed: boolean } | null>(null);
  const close = (): void => setDialog(null);
  const edit = (next: Design): void => {
    setSaid(null);
    onEdit(next);
  };
  const save = (): void =>
    saving.mutate(design, {
      onSuccess: (done) =>
        setSaid({
          text: done.isSaved ? TEXTS.saved : TEXTS.changedElsewhere,
          failed: !done.isSaved,
        }),
      onError: (error) =>
        setSaid({
          text: TEXTS.saveFailed(errorText(error)),
          failed: true,
        }),
    });
  function importFrom(text: string | null, name: string): void {
    const read = text === null ? TABLE_FAULTS.encoding(name) : withCsv(design, text);
    if (typeof read === "string") return setSaid({ text: read, failed: true });
    onEdit(read.design);
    setSaid({ text: TEXTS.imported(read.rows), failed: false });
  }
  return (
    <Card
      flush
      title={TEXTS.title}
      description={TEXTS.text}
      actions={<DesignActions design={design} onDialog={setDialog} onImport={importFrom} />}
    >
      {design.samples.length > 0 ? (
        <DesignTable design={design} onEdit={edit} />
      ) : (
        <p className="px-4 text-ink-2 md:px-6">{TEXTS.empty}</p>
      )}
      <div className="flex flex-wrap items-center gap-3 px-4 py-4 md:px-6">
        <Button variant="primary" disabled={isSaved} busy={saving.isPending} onClick={save}>
          {TEXTS.save}
        </Button>
        {!isSaved && (
          <Button
            disabled={saving.isPending}
            onClick={() => {
              setSaid(null);
              discard();
            }}
          >
            {TEXTS.discard}
          </Button>
        )}
        {said && <StatusMessage failed={said.failed} text={said.text} className="min-w-0" />}
        {!said && !isSaved && <p className="text-ink-2">{TEXTS.unsaved}</p>}
      </div>
      <Dialog open={dialog === "projects"} onClose={close} title={TEXTS.addTitle}>
        <AddProjects design={design} onEdit={edit} onClose={close} />
      </Dialog>
      <Dialog open={dialog === "column"} onClose={close} title={TEXTS.addColumn}>
        <AddColumn design={design} onEdit={edit} onClose={close} />
      </Dialog>
    </Card>
  );
}

interface Adding {
  design: Design;
  onEdit: (design: Design) => void;
  onClose: () => void;
}

/** Adds a further column to the design. */
function AddColumn({ design, onEdit, onClose }: Adding) {
  function add(column: string): string | undefined {
    const taken = ["sample", ...FIXED_COLUMNS, ...design.columns];
    if (taken.some((one) => one.toLowerCase() === column.toLowerCase())) {
      return TEXTS.columnTaken;
    }
    onEdit({ ...design, columns: [...design.columns, column] });
    onClose();
  }

  return (
    <NameForm
      label={TEXTS.columnName}
      maxLength={60}
      needed={STUDIES_TEXTS.nameNeeded}
      onName={add}
      onCancel={onClose}
      action={TEXTS.add}
    />
  );
}

/** Adding projects and columns, and the design as CSV. */
function DesignActions({
  design,
  onDialog,
  onImport,
}: {
  design: Design;
  onDialog: (which: "projects" | "column") => void;
  onImport: (text: string | null, name: string) => void;
}) {
  return (
    <>
      <Button size="sm" onClick={() => onDialog("projects")}>
        {TEXTS.addProjects}
      </Button>
      <Button size="sm" onClick={() => onDialog("column")}>
        {TEXTS.addColumn}
      </Button>
      <FileButton
        size="sm"
        input={{ "aria-label": TEXTS.importCsv, accept: ".csv,.tsv,.txt" }}
        onFiles={([file]) => file && void tableText(file).then((text) => onImport(text, file.name))}
      >
        {TEXTS.importCsv}
      </FileButton>
      <Button
        size="sm"
        onClick={() => saveFile(new Blob([designCsv(design)], { type: "text/csv" }), "design.csv")}
      >
        {TEXTS.exportCsv}
      </Button>
    </>
  );
}

/** Adds projects to a study as new rows of its design. */
function AddProjects({ design, onEdit, onClose }: Adding) {
  const { data } = useChoosableProjects();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const there = new Set(design.samples.map(({ project_id }) => project_id));
  const left = data?.filter(({ id }) => !there.has(id));
  function add(): void {
    const more = (left ?? [])
      .filter(({ id }) => chosen.has(id))
      .map(({ id, name, status, storage_expiry }) => ({
        ...{ project_id: id, name, status, storage_expiry },
        ...{ condition: "", patient: "", batch: "", more: {}, waits: false, refusal: null },
      }));
    if (more.length > 0) onEdit({ ...design, samples: [...design.samples, ...more] });
    onClose();
  }
  return (
    <>
      {left?.length === 0 && <p className="text-ink-2">{TEXTS.noneLeft}</p>}
      {left && left.length > 0 && (
        <ProjectChoice
          legend={STUDIES_TEXTS.projects}
          projects={left}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
      <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button onClick={onClose}>{STUDIES_TEXTS.cancel}</Button>
        <Button variant="primary" disabled={chosen.size === 0} onClick={add}>
          {TEXTS.add}
        </Button>
      </div>
    </>
  );
}
