const PREFIX = "stipple.processing";

/**
 * Remembers across reloads that a project was started from this browser, for each user and project. The server's status
 * takes precedence.
 */
export function processingFlag(userId: string, projectId: string, storage: Storage) {
  const key = `${PREFIX}.${userId}.${projectId}`;
  return {
    get: (): boolean => storage.getItem(key) === "1",
    set(on: boolean): void {
      if (on) storage.setItem(key, "1");
      else storage.removeItem(key);
    },
  };
}

export type ProcessingFlag = ReturnType<typeof processingFlag>;
