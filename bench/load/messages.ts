/** A person under load: who polls, and which project. */
export interface Person {
  token: string;
  project: string;
}

/** What the server's process has used and holds; bytes. */
export interface Held {
  rss: number;
  /** Heap and buffers after a collection. */
  live: number;
  cpuSeconds: number;
}

export type ToServer = { kind: "held" } | { kind: "queries"; path: string; token: string };

export type FromServer =
  | { kind: "ready"; url: string; people: Person[] }
  | { kind: "held"; held: Held }
  | { kind: "queries"; count: number };
