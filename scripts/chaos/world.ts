/** What people were told; the platform must keep to it. */
export interface World {
  accounts: { email: string; token: string }[];
  projects: Map<string, KnownProject>;
  /** Deletions that were confirmed. */
  deleted: Map<string, string>;
  /** Hosted checkouts that the sandbox said were paid. */
  paid: Set<string>;
  runs: KnownRun[];
  /** Faults that were seen at once. */
  faults: string[];
  /** Operations that were answered, by what they were. */
  done: Record<string, number>;
}

export interface KnownProject {
  token: string;
  /** Hex SHA-256 of every acknowledged chunk of the image, by its index. */
  chunks: Map<number, string>;
  /** The whole file was acknowledged. */
  isWhole: boolean;
  /** Somebody is deleting it: it may or may not be there. */
  isLeaving: boolean;
}

export interface KnownRun {
  project: string;
  token: string;
  startedAt: number;
  /** When it was last seen to get on. */
  movedAt: number;
  seen: string;
  outcome: "under way" | "completed" | "failed" | "cancelled";
  error: string | null;
  /** Disturbances that it met, in order. */
  met: string[];
}

export function emptyWorld(): World {
  return {
    accounts: [],
    projects: new Map(),
    deleted: new Map(),
    paid: new Set(),
    runs: [],
    faults: [],
    done: {},
  };
}

export function count(world: World, what: string): void {
  world.done[what] = (world.done[what] ?? 0) + 1;
}

/** Lets everybody act, or holds everybody between two acts. */
export class Gate {
  #open = Promise.withResolvers<void>();
  #isOpen = false;
  #inside = 0;
  #quiet: () => void = () => undefined;
  isOver = false;

  open(): void {
    this.#isOpen = true;
    this.#open.resolve();
  }

  /** Resolves when nobody is in the middle of anything. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#open = Promise.withResolvers<void>();
    if (this.#inside > 0) await new Promise<void>((resolve) => (this.#quiet = resolve));
  }

  get isClosing(): boolean {
    return !this.#isOpen || this.isOver;
  }

  /** Does one act, once the gate is open. */
  async act(work: () => Promise<void>): Promise<void> {
    while (!this.#isOpen && !this.isOver) await this.#open.promise;
    if (this.isOver) return;
    this.#inside++;
    try {
      await work();
    } finally {
      if (--this.#inside === 0) this.#quiet();
    }
  }

  end(): void {
    this.isOver = true;
    this.#open.resolve();
  }
}
