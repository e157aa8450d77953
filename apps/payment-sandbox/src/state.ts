import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { ApiFault } from "./form.ts";
import { KINDS, type Objects, type Stored, type Table } from "./objects.ts";

type Tables = { [T in Table]: Record<string, Stored<T>> };

interface Saved extends Tables {
  /** How far the sandbox's clock is ahead of the real one. */
  clockAheadMs: number;
  /** How much of that may delete projects, as confirmed by the operator. */
  deletesAheadMs: number;
  sendTwice: boolean;
  /** Events are recorded but not delivered until they are released. */
  holdEvents: boolean;
  /** Emails from our server, newest last; `sent` is in real Unix seconds. */
  mails: { from: string; to: string; subject: string; text: string; sent: number }[];
  /** Responses to requests with an idempotency key, by key. */
  idempotent: Record<string, { path: string; status: number; answer: unknown }>;
}

/** Everything the provider knows, in one JSON file that is replaced as a whole after each change. */
export class SandboxState {
  readonly data: Saved;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    const tables = Object.fromEntries(Object.keys(KINDS).map((name) => [name, {}])) as Tables;
    const rest = { clockAheadMs: 0, deletesAheadMs: 0, sendTwice: false, holdEvents: false };
    this.data = { ...tables, ...rest, mails: [], idempotent: {} };
    try {
      Object.assign(this.data, JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw error;
    }
  }

  save(): void {
    const partial = `${this.#path}.partial`;
    writeFileSync(partial, JSON.stringify(this.data), { mode: 0o600 });
    renameSync(partial, this.#path);
  }

  add<T extends Table>(table: T, fields: Objects[T]): Stored<T> {
    const { object, prefix } = KINDS[table];
    const id = `${prefix}_${randomBytes(12).toString("hex")}`;
    return (this.#table(table)[id] = { id, object, created: this.now(), ...fields });
  }

  find<T extends Table>(table: T, id: string): Stored<T> {
    const found = this.#table(table)[id];
    if (found) return found;
    throw new ApiFault(404, `No such ${KINDS[table].object}: '${id}'`, "resource_missing");
  }

  #table<T extends Table>(name: T): Record<string, Stored<T>> {
    return this.data[name] as unknown as Record<string, Stored<T>>;
  }

  /** Unix seconds on the sandbox's own clock. */
  now(): number {
    return Math.floor((Date.now() + this.data.clockAheadMs) / 1000);
  }
}
