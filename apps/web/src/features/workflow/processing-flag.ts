/**
 * Remembers across reloads that a project was started from this browser, for each user and project. The server's status
 * takes precedence.
 */
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
