/** Remembers, across reloads, that a project was started from this browser. Keyed by person and project; the server's word wins. */
export interface ProcessingFlag {
  get(): boolean;
  set(on: boolean): void;
}

const PREFIX = "stipple.processing";

export function processingFlag(
  userId: string,
  projectId: string,
  storage: Storage,
): ProcessingFlag {
  const key = `${PREFIX}.${userId}.${projectId}`;
  return {
    get: () => storage.getItem(key) === "1",
    set(on) {
      if (on) storage.setItem(key, "1");
      else storage.removeItem(key);
    },
  };
}
