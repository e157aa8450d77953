import { STEPS, type StepNumber } from "@stipple/contract";
import { sql } from "kysely";
import type { Db } from "../db/database.ts";
import type { Damage } from "../db/schema.ts";
import { MissingObjectError } from "../storage/storage.ts";
import { ContentError } from "./content.ts";
import { DamagedFileError } from "../storage/damage-errors.ts";

/** What an error says about the object that was read; null if it is about something else. */
export function damageOf(error: unknown): Damage | null {
  if (error instanceof MissingObjectError) return "missing";
  const isDiskFault = (error as NodeJS.ErrnoException).code === "EIO";
  return isDiskFault || error instanceof ContentError ? "damaged" : null;
}

/** The error for a file of a finished step. */
export function damagedResult(
  { path, step }: { path: string; step: StepNumber },
  damage: Damage,
  cause: unknown,
): DamagedFileError {
  return new DamagedFileError(
    `A file of step ${step} (${STEPS[step].name}) is ${inWords(damage)}: ${path}. Run the workflow again from step ${step}.`,
    { cause },
  );
}

/** The error for an uploaded file. */
export function damagedInput(name: string, damage: Damage, cause: unknown): DamagedFileError {
  return new DamagedFileError(
    `The uploaded file ${name} is ${inWords(damage)}: upload it again, then run the workflow.`,
    { cause },
  );
}

function inWords(damage: Damage): string {
  return damage === "missing" ? "missing from the server's storage" : "damaged on the server";
}

/** Marks an object, so that nothing is deduplicated against it and runs make its steps again. */
export async function noteDamage(db: Db, storageKey: string, damage: Damage): Promise<void> {
  await db
    .updateTable("objects")
    .set({ damage, damaged_at: sql<Date>`clock_timestamp()` })
    .where("storage_key", "=", storageKey)
    .execute();
}

/** For an object whose bytes are right after all: a disk was not mounted, or the operator put the file back. */
export async function noteSound(db: Db, storageKey: string): Promise<void> {
  await db
    .updateTable("objects")
    .set({ damage: null, damaged_at: null })
    .where("storage_key", "=", storageKey)
    .where("damage", "is not", null)
    .execute();
}
