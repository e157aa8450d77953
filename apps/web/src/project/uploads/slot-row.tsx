import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import { FileText, Image, RotateCw, Table2, Trash2, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "../../components/button.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { uploadTexts } from "./texts.ts";
import { byteText } from "./byte-text.ts";
import { acceptAttribute } from "./slot-files.ts";
import { StateWord, UploadProgress } from "./slot-progress.tsx";
import { fileOf, isFilled, type SlotState } from "./use-slot-states.ts";
import { isUnderWay, uploadKey } from "./upload.ts";
import { uploads } from "./uploads.ts";
import { useRemoval } from "./use-removal.ts";

interface SlotRowProps {
  projectId: string;
  slot: UploadSlot;
  state: SlotState;
  /** Whether the workflow waits for this file. */
  blocks?: boolean;
  /** Why the last file chosen for this slot was not taken. */
  refusal?: string | undefined;
  /** What to bear in mind about a file that is taken. */
  warning?: string | undefined;
  /** What is in a file that is taken. */
  note?: string | undefined;
  /** What the row asks for while it is empty. */
  expected?: string | undefined;
  onChoose: (file: File | undefined) => void;
}

/** One expected file: what it is called, what was chosen for it, and how far its upload is. */
export function SlotRow(row: SlotRowProps) {
  const { slot, state } = row;
  const upload = state.kind === "upload" ? state.upload : undefined;
  const Icon =
    slot.extensions.includes(".png") || slot.group === "he_image"
      ? Image
      : slot.part === "scale"
        ? FileText
        : Table2;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-6 py-4 last:border-0 max-sm:px-4">
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{slot.label}</p>
        <ChosenFile {...row} />
        <Remarks {...row} />
        {upload && isUnderWay(upload) && <UploadProgress upload={upload} />}
      </div>
      <div className="flex shrink-0 items-center gap-2 max-sm:w-full max-sm:justify-between max-sm:pl-9">
        <StateWord state={state} blocks={row.blocks ?? false} />
        <Actions {...row} />
      </div>
    </li>
  );
}

/** Name and size of the file, or what the row asks for. */
function ChosenFile({ slot, state, expected = uploadTexts.expected[slot.id] }: SlotRowProps) {
  const file = fileOf(state);
  const facts = [
    ...(file?.bytes ? [byteText(file.bytes)] : []),
    ...(isFilled(state) ? ["100%"] : []),
  ];
  return (
    <p
      className={joinClasses(
        "mt-0.5 text-[0.8125rem] [overflow-wrap:anywhere]",
        file ? "text-ink-2" : "text-ink-3",
      )}
    >
      {file?.name ?? expected ?? slot.fileName}
      {facts.length > 0 && " · "}
      <span className="whitespace-nowrap text-ink-3">{facts.join(" · ")}</span>
    </p>
  );
}

const REMARK = "mt-1 text-[0.8125rem]";
const BAD_REMARK = `${REMARK} text-bad [overflow-wrap:anywhere]`;

function Remarks({ state, refusal, warning, note }: SlotRowProps) {
  const upload = state.kind === "upload" ? state.upload : undefined;
  return (
    <>
      {state.kind === "unfinished" && (
        <p className={`${REMARK} text-warn`}>
          {uploadTexts.unfinished(state.fileName, state.percent)}
        </p>
      )}
      {refusal && <p className={BAD_REMARK}>{refusal}</p>}
      {upload?.error && (
        <p className={BAD_REMARK}>{uploadTexts.failed(upload.fileName, upload.error)}</p>
      )}
      {warning && <p className={`${REMARK} text-warn`}>{warning}</p>}
      {note && (
        <p role="status" className={`${REMARK} text-ink-2 [overflow-wrap:anywhere]`}>
          {note}
        </p>
      )}
    </>
  );
}

function Actions({ projectId, slot, state, onChoose }: SlotRowProps) {
  const remove = useRemoval(projectId);
  const key = uploadKey(projectId, slot.id);
  const input = useRef<HTMLInputElement>(null);
  const upload = state.kind === "upload" ? state.upload : undefined;
  const fileName = fileOf(state)?.name;
  // Text and no aria-label, so that looking up a slot by its label finds only the file input.
  const ofSlot = <span className="sr-only"> {slot.label}</span>;
  return (
    <div className="flex gap-1">
      {upload?.state === "failed" && (
        <Button size="sm" icon={RotateCw} onClick={() => uploads.retry(key)}>
          {uploadTexts.retry}
          {ofSlot}
        </Button>
      )}
      {fileName && isFilled(state) && (
        <Button
          size="sm"
          variant="ghost"
          title={uploadTexts.remove}
          icon={Trash2}
          onClick={() => remove(slot, fileName)}
        >
          <span className="sr-only">
            {uploadTexts.remove} {slot.label}
          </span>
        </Button>
      )}
      {upload && isUnderWay(upload) ? (
        <Button size="sm" variant="ghost" icon={X} onClick={() => uploads.cancel(key)}>
          {uploadTexts.cancel}
          {ofSlot}
        </Button>
      ) : (
        <Button size="sm" onClick={() => input.current?.click()}>
          {fileName ? uploadTexts.replace : uploadTexts.choose}
          {ofSlot}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        accept={acceptAttribute(slot)}
        aria-label={`${slot.label} file (${slot.extensions.join(" or ")})`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0]);
          currentTarget.value = "";
        }}
      />
    </div>
  );
}
