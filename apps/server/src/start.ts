import { SettingsError } from "./settings/read-settings.ts";
import { StorageError } from "./storage/check-storage.ts";

/** Exit code of a refused start: retrying would not help. EX_CONFIG in sysexits.h. */
export const REFUSED = 78;

/** What keeps the process from starting, in a sentence that says what to do. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  /** Whether a later start may succeed without anyone intervening. */
  readonly isTemporary: boolean;
  constructor(message: string, options: ErrorOptions & { isTemporary?: boolean } = {}) {
    super(message, options);
    this.isTemporary = options.isTemporary ?? false;
  }
}

/** Starts a process. If the start is refused, prints only the message and exits. */
export async function startOrRefuse(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const isRefusal = error instanceof SettingsError || error instanceof StartRefused;
    console.error(isRefusal || error instanceof StorageError ? error.message : error);
    const isFinal = isRefusal && !(error instanceof StartRefused && error.isTemporary);
    process.exit(isFinal ? REFUSED : 1);
  }
}
