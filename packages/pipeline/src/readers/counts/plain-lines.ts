const [BLANK, NEWLINE, NOUGHT] = [32, 10, 48];
/** Maximum number of lines per call; their numbers stay in the CPU cache. */
const MAX_LINES = 8192;
const MAX_DIGITS = 7;

/** Plain lines of one barcode; barcode and features are 0-based. Each call of {@link takePlainLines} fills it anew. */
export class PlainRun {
  readonly features = new Int32Array(MAX_LINES);
  readonly values = new Int32Array(MAX_LINES);
  /** Number of lines; 0 at a line of another form. */
  n = 0;
  barcode = -1;
  /** Where the lines end. */
  stop = 0;
}

/**
 * Reads up to a few thousand lines of three whole numbers (of one to seven digits, separated by single spaces and ended by
 * a newline only) of one barcode, starting at byte `from`; `to` must follow a newline.
 */
export function takePlainLines(text: Uint8Array, from: number, to: number, run: PlainRun): void {
  const { features, values } = run;
  run.n = 0;
  let at = (run.stop = from);
  while (at < to && run.n < MAX_LINES) {
    const feature = numberAt(text, at, BLANK);
    if (feature < ONE) break;
    at += 1 + (feature & DIGITS);
    const barcode = numberAt(text, at, BLANK);
    if (barcode < ONE || (run.n > 0 && barcode >> SHIFT !== run.barcode + 1)) break;
    at += 1 + (barcode & DIGITS);
    const value = numberAt(text, at, NEWLINE);
    if (value < 0) break;
    at += 1 + (value & DIGITS);
    run.barcode = (barcode >> SHIFT) - 1;
    features[run.n] = (feature >> SHIFT) - 1;
    values[run.n++] = value >> SHIFT;
    run.stop = at;
  }
}

/** A number and how many digits it has, together in one integer. */
const SHIFT = 3;
const DIGITS = 7;
const ONE = 1 << SHIFT;

/** The number that begins at `at` and ends before the byte `follower`; −1 if there is none in this form. */
function numberAt(text: Uint8Array, at: number, follower: number): number {
  let value = 0;
  for (let digits = 0; digits <= MAX_DIGITS; digits++) {
    const byte = text[at + digits];
    if (byte === follower) return digits > 0 ? (value << SHIFT) | digits : -1;
    const digit = byte - NOUGHT;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = 10 * value + digit;
  }
  return -1;
}
