import { SettingsError } from "./settings/read-settings.ts";

/** Exit code of a start that is refused: starting again would not help. sysexits.h calls it EX_CONFIG. */
export const REFUSED = 78;

/** What keeps the process from starting, in a sentence that says what to do. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  /** Whether a later start may succeed without anyone's doing. */
  readonly isTemporary: boolean;
  constructor(message: string, options: ErrorOptions & { isTemporary?: boolean } = {}) {
    super(message, options);
    this.isTemporary = options.isTemporary ?? false;
  }
}

/** Runs the start of a process. One that is refused ends it with the sentence alone. */
export async function startOrRefuse(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const isRefusal = error instanceof SettingsError || error instanceof StartRefused;
    console.error(isRefusal ? error.message : error);
    const isFinal = isRefusal && !(error instanceof StartRefused && error.isTemporary);
    process.exit(isFinal ? REFUSED : 1);
  }
}
