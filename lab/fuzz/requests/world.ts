import type { People, SparePerson } from "../../../apps/server/test/contract/people.ts";

/** A server with user accounts that receives the requests. */
export interface Target {
  url: string;
  /** Process id of the server. */
  pid: number;
  people: People;
  /** A new expendable user. */
  spare(): Promise<SparePerson>;
  /** Memory of the server's process, MB. */
  memoryMb(): Promise<number>;
}

/** Inputs for making a request. */
export interface World {
  people: People;
  /** A dedicated user for each call that destroys what others need. */
  spare: Record<string, SparePerson>;
}
