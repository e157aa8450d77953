import { inStorage } from "./personal-storage.ts";

type Place = () => Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What the browser keeps under this key; null if it is nothing readable, or storage is blocked. */
export function keptJson(place: Place, key: string): unknown {
  try {
    return JSON.parse(place().getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a value under this key, or nothing if it is null. Storage may be blocked or full: the page still has it. */
export function keepJson(place: Place, key: string, value: unknown): void {
  inStorage(() => {
    if (value === null) place().removeItem(key);
    else place().setItem(key, JSON.stringify(value));
  });
}
