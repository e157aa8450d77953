import type { Upload } from "./upload.ts";

/** All uploads by key, for pages to follow; each change replaces the map. */
export class UploadList {
  #uploads: ReadonlyMap<string, Upload> = new Map();
  readonly #listeners = new Set<() => void>();

  readonly snapshot = (): ReadonlyMap<string, Upload> => this.#uploads;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  set(upload: Upload): void {
    this.#publish(new Map(this.#uploads).set(upload.key, upload));
  }

  /** Changes fields of an upload; those that become undefined no longer hold. */
  change(key: string, part: Partial<Upload>): void {
    const upload = this.#uploads.get(key);
    if (!upload) return;
    const changed = { ...upload, ...part };
    const isSame = (Object.keys(part) as (keyof Upload)[]).every(
      (field) => changed[field] === upload[field],
    );
    if (!isSame) this.set(changed);
  }

  delete(key: string): void {
    const rest = new Map(this.#uploads);
    rest.delete(key);
    this.#publish(rest);
  }

  #publish(uploads: ReadonlyMap<string, Upload>): void {
    this.#uploads = uploads;
    for (const listener of this.#listeners) listener();
  }
}
