import { messageTone } from "./message-tone.ts";

export interface ToastEntry {
  id: number;
  text: string;
  tone: "bad" | "info";
  icon: "failure" | "info" | "success";
}

let entries: readonly ToastEntry[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/**
 * Shows a short message at the bottom right for three seconds: red if it contains 'Error', otherwise blue. `failed` and
 * `ok` choose the icon.
 */
export function toast(text: string, options: { failed?: boolean; ok?: boolean } = {}): void {
  const tone = messageTone(text);
  const isFailure = options.failed || tone === "bad";
  const icon = isFailure ? "failure" : options.ok ? "success" : "info";
  const entry: ToastEntry = { id: nextId++, text, tone, icon };
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
