/** A simulated user: credentials and the project to poll. */
export interface Person {
  token: string;
  project: string;
}

/** Resource use of the server process; bytes. */
export interface Held {
  rss: number;
  /** Heap and buffers after garbage collection. */
  live: number;
  cpuSeconds: number;
}

export type ToServer = { kind: "held" } | { kind: "queries"; path: string; token: string };

export type FromServer =
  | { kind: "ready"; url: string; people: Person[] }
  | { kind: "held"; held: Held }
  | { kind: "queries"; count: number };
