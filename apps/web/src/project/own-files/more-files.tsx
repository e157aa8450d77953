import { ChevronRight } from "lucide-react";
import { useState, type ReactNode } from "react";
import { HelpLink } from "../../components/help-link.tsx";
import { ownFileTexts as TEXTS } from "./texts.ts";
import type { OwnFiles } from "./use-own-files.ts";
import { OWN_FILES, type OwnFile } from "@stipple/contract/platforms/own-files";
import { refusals as refusalTexts } from "../uploads/texts.ts";
import { prepared, slotRefusal } from "../uploads/slot-files.ts";
import { SlotRow } from "../uploads/slot-row.tsx";
import { uploads } from "../uploads/uploads.ts";

/** The closed section with the files that a user may add to a sample. `children` stand below the rows. */
export function MoreFiles({
  projectId,
  own,
  children,
}: {
  projectId: string;
  own: OwnFiles;
  children?: ReactNode;
}) {
  return (
    <details className="group rounded-card border border-line bg-card">
      <summary className="flex list-none flex-wrap items-center gap-x-2 rounded-card px-6 py-4 font-medium max-sm:px-4">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open:rotate-90"
        />
        {TEXTS.title}
        <span className="text-[0.8125rem] font-normal text-ink-3">{TEXTS.optional}</span>
      </summary>
      <p className="px-6 pb-4 text-[0.8125rem] text-ink-2 max-sm:px-4">
        {TEXTS.hint} <HelpLink page="prepare-files" />
      </p>
      <div className="border-t border-line">
        <OwnFileRows projectId={projectId} own={own} />
        {children}
      </div>
    </details>
  );
}

/** Choosing, replacing, and removing the files that a user adds to a sample, each with what the server found in it. */
function OwnFileRows({ projectId, own }: { projectId: string; own: OwnFiles }) {
  const [refusals, setRefusals] = useState<Partial<Record<OwnFile, string>>>({});

  async function choose(slot: (typeof OWN_FILES)[number], file: File | undefined): Promise<void> {
    if (!file) return;
    const refusal = await slotRefusal(OWN_FILES, slot, file);
    const ready = refusal ? undefined : await prepared(slot, file).catch(() => undefined);
    if (ready) void uploads.add(projectId, slot, ready);
    setRefusals((before) => ({
      ...before,
      [slot.id]: ready ? undefined : (refusal ?? refusalTexts.damaged(file.name)),
    }));
  }

  return (
    <ul>
      {OWN_FILES.map((slot) => {
        const finding = own.findings.get(slot.id);
        return (
          <SlotRow
            key={slot.id}
            projectId={projectId}
            slot={slot}
            state={own.states.get(slot.id)!}
            expected={TEXTS.expected[slot.id]}
            refusal={refusals[slot.id] ?? (finding?.is_fault ? finding.sentence : undefined)}
            note={own.filled.has(slot.id) ? noteOf(own, slot.id) : undefined}
            onChoose={(file) => void choose(slot, file)}
          />
        );
      })}
    </ul>
  );
}

function noteOf({ findings, isLooking }: OwnFiles, id: OwnFile): string | undefined {
  const finding = findings.get(id);
  if (finding) return finding.is_fault ? undefined : finding.sentence;
  return isLooking ? TEXTS.looking : TEXTS.waits;
}
