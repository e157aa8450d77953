import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import { joinClasses } from "../../components/join-classes.ts";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { uploadTexts } from "./texts.ts";
import { byteText, timeLeftText } from "./byte-text.ts";
import { type SlotState } from "./use-slot-states.ts";
import type { Upload } from "./upload.ts";

/** How far an upload is, how fast, and what it waits for. */
export function UploadProgress({ upload }: { upload: Upload }) {
  const { bytesPerSecond, totalBytes, sentBytes } = upload;
  // 100 means all of it.
  const percent = totalBytes === 0 ? 0 : Math.floor((100 * sentBytes) / totalBytes);
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

/** The state in a word; `blocks` if the workflow waits for the file. */
export function StateWord({ state, blocks }: { state: SlotState; blocks: boolean }) {
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
