import { messageTone } from "./message-tone.ts";

export interface ToastEntry {
  id: number;
  text: string;
  tone: "bad" | "info" | "ok";
}

let entries: readonly ToastEntry[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a short message at the bottom right for three seconds: red if it contains 'Error' or `failed` is set. `ok` marks
 * a success.
 */
export function toast(text: string, options: { failed?: boolean; ok?: boolean } = {}): void {
  const tone = messageTone(text, options.failed);
  const entry = { id: nextId++, text, tone: options.ok && tone === "info" ? "ok" : tone } as const;
  change([...entries.filter((entry) => entry.text !== text), entry]);
}

export function dismissToast(id: number): void {
  change(entries.filter((entry) => entry.id !== id));
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly ToastEntry[] {
  return entries;
}
