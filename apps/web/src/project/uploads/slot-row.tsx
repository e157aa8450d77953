import type { UploadSlot } from "@stipple/contract/platforms/upload-slot";
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  FileText,
  Image,
  LoaderCircle,
  RotateCw,
  Table2,
  Trash2,
  X,
  type LucideIcon,
} from "lucide-react";
import { useRef } from "react";
import { Button } from "../../components/button.tsx";
import { joinClasses } from "../../components/join-classes.ts";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { uploadTexts } from "./texts.ts";
import { byteText, timeLeftText } from "./byte-text.ts";
import { acceptAttribute } from "./slot-files.ts";
import { isFilled, sentPercent, type SlotState } from "./slot-state.ts";
import type { Upload } from "./upload-engine.ts";

interface SlotRowProps {
  slot: UploadSlot;
  state: SlotState;
  /** Whether the workflow waits for this file. */
  blocks: boolean;
  /** Why the last file chosen for this slot was not taken. */
  refusal?: string | undefined;
  /** What to bear in mind about a file that is taken. */
  warning?: string | undefined;
  /** What is in a file that is taken. */
  note?: string | undefined;
  /** What the row asks for while it is empty. */
  expected?: string | undefined;
  onChoose: (file: File | undefined) => void;
  onRetry: () => void;
  onCancel: () => void;
  onRemove: (fileName: string) => void;
}

/** One expected file: what it is called, what was chosen for it, and how far its upload is. */
export function SlotRow({
  slot,
  state,
  blocks,
  refusal,
  warning,
  note,
  expected = uploadTexts.expected[slot.id],
  onChoose,
  onRetry,
  onCancel,
  onRemove,
}: SlotRowProps) {
  const input = useRef<HTMLInputElement>(null);
  const upload = state.kind === "upload" ? state.upload : undefined;
  const fileName = upload?.fileName ?? (state.kind === "uploaded" ? state.fileName : undefined);
  const bytes = upload?.totalBytes ?? (state.kind === "uploaded" ? state.bytes : undefined);
  const facts = [...(bytes ? [byteText(bytes)] : []), ...(isFilled(state) ? ["100%"] : [])];
  const running = upload && upload.state !== "done" && upload.state !== "failed";
  // Text and no aria-label, so that looking up a slot by its label finds only the file input.
  const ofSlot = <span className="sr-only"> {slot.label}</span>;
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
        <p
          className={joinClasses(
            "mt-0.5 text-[0.8125rem] [overflow-wrap:anywhere]",
            fileName ? "text-ink-2" : "text-ink-3",
          )}
        >
          {fileName ?? expected ?? slot.fileName}
          {facts.length > 0 && " · "}
          <span className="whitespace-nowrap text-ink-3">{facts.join(" · ")}</span>
        </p>
        {state.kind === "unfinished" && (
          <p className="mt-1 text-[0.8125rem] text-warn">
            {uploadTexts.unfinished(state.fileName, state.percent)}
          </p>
        )}
        {refusal && (
          <p className="mt-1 text-[0.8125rem] text-bad [overflow-wrap:anywhere]">{refusal}</p>
        )}
        {upload?.error && (
          <p className="mt-1 text-[0.8125rem] text-bad [overflow-wrap:anywhere]">
            {uploadTexts.failed(upload.fileName, upload.error)}
          </p>
        )}
        {warning && <p className="mt-1 text-[0.8125rem] text-warn">{warning}</p>}
        {note && (
          <p role="status" className="mt-1 text-[0.8125rem] text-ink-2 [overflow-wrap:anywhere]">
            {note}
          </p>
        )}
        {running && <Running upload={upload} />}
      </div>
      <div className="flex shrink-0 items-center gap-2 max-sm:w-full max-sm:justify-between max-sm:pl-9">
        <StateWord state={state} blocks={blocks} />
        <div className="flex gap-1">
          {upload?.state === "failed" && (
            <Button
              size="sm"
              icon={<RotateCw aria-hidden className="size-3.5" />}
              onClick={onRetry}
            >
              {uploadTexts.retry}
              {ofSlot}
            </Button>
          )}
          {fileName && isFilled(state) && (
            <Button
              size="sm"
              variant="ghost"
              title={uploadTexts.remove}
              icon={<Trash2 aria-hidden className="size-3.5" />}
              onClick={() => onRemove(fileName)}
            >
              <span className="sr-only">
                {uploadTexts.remove} {slot.label}
              </span>
            </Button>
          )}
          {running ? (
            <Button
              size="sm"
              variant="ghost"
              icon={<X aria-hidden className="size-3.5" />}
              onClick={onCancel}
            >
              {uploadTexts.cancel}
              {ofSlot}
            </Button>
          ) : (
            <Button size="sm" onClick={() => input.current?.click()}>
              {fileName ? uploadTexts.replace : uploadTexts.choose}
              {ofSlot}
            </Button>
          )}
        </div>
      </div>
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
    </li>
  );
}

function Running({ upload }: { upload: Upload }) {
  const percent = sentPercent(upload);
  const { bytesPerSecond, totalBytes, sentBytes } = upload;
  const details = [
    `${percent}%`,
    ...(upload.state === "sending" && bytesPerSecond
      ? [`${byteText(bytesPerSecond)}/s`, timeLeftText(totalBytes - sentBytes, bytesPerSecond)]
      : []),
  ];
  const remark =
    upload.pausedBy === "offline"
      ? uploadTexts.pausedOffline
      : upload.pausedBy === "session"
        ? uploadTexts.pausedSession
        : upload.retry
          ? uploadTexts.retrying(upload.retry)
          : upload.state === "verifying"
            ? uploadTexts.verifying
            : undefined;
  return (
    <div className="mt-2">
      <ProgressBar
        value={percent}
        label={`Upload of ${upload.fileName}`}
        active={upload.state === "verifying"}
        tone={upload.state === "paused" || upload.retry ? "warn" : "primary"}
      />
      <p className="mt-1 flex flex-wrap justify-between gap-x-3 text-[0.8125rem] text-ink-3">
        <span>{details.filter(Boolean).join(" · ")}</span>
        {remark && (
          <span className={upload.state === "verifying" ? "" : "text-warn"}>{remark}</span>
        )}
      </p>
    </div>
  );
}

function StateWord({ state, blocks }: Pick<SlotRowProps, "state" | "blocks">) {
  const [Icon, word, color, spin]: [LucideIcon, string, string, boolean] = look(state, blocks);
  return (
    <span className={joinClasses("inline-flex items-center gap-1.5 text-[0.8125rem]", color)}>
      <Icon aria-hidden className={joinClasses("size-4", spin && "animate-spin")} />
      {word}
    </span>
  );
}

function look(state: SlotState, blocks: boolean): [LucideIcon, string, string, boolean] {
  if (state.kind === "uploaded") return [CircleCheck, uploadTexts.uploaded, "text-ok", false];
  if (state.kind !== "upload")
    return blocks
      ? [CircleAlert, uploadTexts.missing, "text-warn", false]
      : [CircleDashed, uploadTexts.optional, "text-ink-3", false];
  switch (state.upload.state) {
    case "done":
      return [CircleCheck, uploadTexts.uploaded, "text-ok", false];
    case "failed":
      return [CircleAlert, uploadTexts.failedState, "text-bad", false];
    case "paused":
      return [CirclePause, "Paused", "text-warn", false];
    case "waiting":
      return [CircleDashed, uploadTexts.waiting, "text-ink-3", false];
    case "verifying":
      return [LoaderCircle, "Verifying", "text-ink-2", true];
    case "sending":
      return [LoaderCircle, "Uploading", "text-ink-2", true];
  }
}
