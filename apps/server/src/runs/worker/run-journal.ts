import { overallPercent, STEPS, type StepNumber } from "@stipple/contract";
import { sql } from "kysely";
import type { Clock } from "../../clock.ts";
import type { Db } from "../../db/database.ts";
import { hasToken } from "../queue/dbos-tables.ts";
import type { Hold } from "./holds.ts";

const WRITE_EVERY_MS = 500;
const LOG_LINES = 200;

/**
 * Writes a running step's progress and log to the run's row, at most twice a second, and calls `onLost` when the run has
 * been canceled or deleted, or is in the hands of another worker.
 */
export class RunJournal implements AsyncDisposable {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #hold: Hold;
  readonly #step: StepNumber;
  readonly #onLost: () => void;
  readonly #timer: NodeJS.Timeout;
  #fraction = 0;
  #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  private constructor(db: Db, clock: Clock, hold: Hold, step: StepNumber, onLost: () => void) {
    this.#db = db;
    this.#clock = clock;
    this.#hold = hold;
    this.#step = step;
    this.#onLost = onLost;
    this.#timer = setInterval(() => this.#flush(), WRITE_EVERY_MS);
  }

  /** Notes that a step begins. */
  static async open(
    parts: { db: Db; clock: Clock },
    hold: Hold,
    step: StepNumber,
    onLost: () => void,
  ): Promise<RunJournal> {
    await parts.db
      .updateTable("runs")
      .set({
        step,
        step_fraction: 0,
        step_started_at: parts.clock.now(),
        percent: sql`greatest(percent, ${percentOf(step, 0)}::float8)`,
      })
      .where("id", "=", hold.runId)
      .where(hasToken(hold.token))
      .execute();
    return new RunJournal(parts.db, parts.clock, hold, step, onLost);
  }

  progress(fraction: number): void {
    this.#fraction = Math.max(this.#fraction, fraction);
  }

  log(line: string): void {
    const time = this.#clock.now().toISOString().slice(11, 19);
    this.#lines.push(`${time} ${line}`);
  }

  #flush(): void {
    this.#writing = this.#writing.then(() => this.#write()).catch(() => undefined);
  }

  async #write(): Promise<void> {
    const lines = this.#lines;
    this.#lines = [];
    const row = await this.#db
      .updateTable("runs")
      .set({
        step_fraction: this.#fraction,
        // A step restarted after a crash must not move the progress bar back.
        percent: sql`greatest(percent, ${percentOf(this.#step, this.#fraction)}::float8)`,
        ...(lines.length > 0
          ? {
              log: sql<string>`(
                select coalesce(jsonb_agg(line order by at), '[]') from (
                  select line, at from jsonb_array_elements(log || ${JSON.stringify(lines)}::jsonb)
                    with ordinality as entry(line, at)
                  order by at desc limit ${sql.lit(LOG_LINES)}
                ) as tail)`,
            }
          : {}),
      })
      .where("id", "=", this.#hold.runId)
      .where("status", "in", ["running", "completed"])
      .where(hasToken(this.#hold.token))
      .returning("id")
      .executeTakeFirst()
      .catch((error: unknown) => {
        // The database may be briefly unavailable; the lines are included in the next write.
        this.#lines = [...lines, ...this.#lines];
        throw error;
      });
    if (!row) this.#onLost();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#flush();
    await this.#writing;
  }
}

/** Percent of a run whose current step is `step`; all earlier steps count as done. */
function percentOf(step: StepNumber, fraction: number): number {
  const before = STEPS.map(({ number }) => number).filter((number) => number < step);
  return overallPercent(before, fraction);
}
