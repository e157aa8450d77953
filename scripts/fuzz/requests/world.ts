import type { People, SparePerson } from "../../../apps/server/test/contract/people.ts";

/** A server with people on it, which requests are made to. */
export interface Target {
  url: string;
  /** Process of the server. */
  pid: number;
  people: People;
  /** A new person who may lose everything. */
  spare(): Promise<SparePerson>;
  /** Memory of the server's process, MB. */
  memoryMb(): Promise<number>;
}

/** What a request is made from. */
export interface World {
  people: People;
  /** For each call that ends what others need, somebody of its own. */
  spare: Record<string, SparePerson>;
}
