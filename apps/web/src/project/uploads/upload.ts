/** The upload of one file into one slot, as the page shows it. */
export interface Upload {
  key: string;
  projectId: string;
  fileName: string;
  totalBytes: number;
  sentBytes: number;
  state: "waiting" | "sending" | "paused" | "verifying" | "done" | "failed";
  /** Why it is paused: no network, or the session has ended. */
  pausedBy?: "offline" | "session" | undefined;
  /** Which retry of the current chunk is in progress, 1–5; absent while all is well. */
  retry?: number | undefined;
  bytesPerSecond?: number | undefined;
  /** The failure, without the leading 'Error uploading …'; during retries, the server's last message. */
  error?: string | undefined;
  /** The server's remark about a file that it accepted. */
  warning?: string | undefined;
}

export function uploadKey(projectId: string, slotId: string): string {
  return `${projectId}/${slotId}`;
}

/** Whether closing the page now would interrupt this upload. */
export function isUnderWay(upload: Upload): boolean {
  return upload.state !== "done" && upload.state !== "failed";
}
