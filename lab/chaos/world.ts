/** What the platform has acknowledged and must honor. */
export interface World {
  accounts: { email: string; token: string }[];
  projects: Map<string, KnownProject>;
  /** Confirmed deletions. */
  deleted: Map<string, string>;
  /** Hosted checkouts that the sandbox reported as paid. */
  paid: Set<string>;
  runs: KnownRun[];
  /** Faults noticed immediately. */
  faults: string[];
  /** Number of answered operations by kind. */
  done: Record<string, number>;
}

export interface KnownProject {
  token: string;
  /** Hex SHA-256 of every acknowledged chunk of the image, by its index. */
  chunks: Map<number, string>;
  /** The whole file was acknowledged. */
  isWhole: boolean;
  /** Being deleted: it may or may not exist. */
  isLeaving: boolean;
}

export interface KnownRun {
  project: string;
  token: string;
  startedAt: number;
  /** When it was last seen making progress. */
  movedAt: number;
  seen: string;
  outcome: "under way" | "completed" | "failed" | "cancelled";
  error: string | null;
  /** Disturbances during the run, in order. */
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

/** Lets everybody act, or pauses everybody between two actions. */
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

  /** Resolves when nobody is in the middle of an action. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#open = Promise.withResolvers<void>();
    if (this.#inside > 0) await new Promise<void>((resolve) => (this.#quiet = resolve));
  }

  get isClosing(): boolean {
    return !this.#isOpen || this.isOver;
  }

  /** Performs one action once the gate is open. */
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
