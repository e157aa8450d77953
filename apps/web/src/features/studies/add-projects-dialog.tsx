import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import type { Design } from "./design.ts";
import { ProjectChoice } from "./project-choice.tsx";
import { DESIGN_TEXTS as TEXTS, STUDIES_TEXTS } from "./texts.ts";
import { useChoosableProjects } from "./use-studies.ts";

interface Adding {
  design: Design;
  onEdit: (design: Design) => void;
  onClose: () => void;
}

/** Adds projects to a study as new rows of its design. */
export function AddProjectsDialog({ open, ...adding }: Adding & { open: boolean }) {
  return (
    <Dialog open={open} onClose={adding.onClose} title={TEXTS.addTitle}>
      {open && <AddProjects {...adding} />}
    </Dialog>
  );
}

function AddProjects({ design, onEdit, onClose }: Adding) {
  const { data } = useChoosableProjects(true);
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
