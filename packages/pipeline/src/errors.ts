export { CancelledError, throwIfCancelled } from "@stipple/tasks/cancellation";

/** A problem with the input that the user can fix. The message is one sentence: what is wrong, in which file, what to do. */
export class InputError extends Error {
  override readonly name = "InputError";
  constructor(message: string, options?: ErrorOptions) {
    super(presentable(message), options);
  }
}

const LONGEST_MESSAGE = 600;

/** A message may quote user input: control characters are removed, and long quotations are shortened. */
export function presentable(message: string): string {
  const line = message.replace(/\p{Cc}+/gu, "\uFFFD");
  if (line.length <= LONGEST_MESSAGE) return line;
  const part = LONGEST_MESSAGE / 2 - 1;
  return `${line.slice(0, part)}…${line.slice(-part)}`;
}

/** Whether an error means that the disk is full (or a quota is reached). */
export function isDiskFull(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  // libvips gives only a message, no code.
  return code === "ENOSPC" || code === "EDQUOT" || /No space left on device/i.test(message ?? "");
}
