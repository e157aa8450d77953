import { storedToken } from "./token.ts";

/** An answer that the server has given a tag: as long as the tag is the same, so is the answer. */
export interface KeptAnswer {
  tag: string;
  answer: unknown;
}

/** Nobody polls more than a few addresses at a time. */
const MOST = 8;
const kept = new Map<string, KeptAnswer>();
/** Whose answers these are: what one person was told is never shown to the next. */
let keptFor: string | null = null;

export function keptAnswer(address: string): KeptAnswer | undefined {
  forgetOthers();
  return kept.get(address);
}

export function keepAnswer(address: string, answer: KeptAnswer): void {
  forgetOthers();
  kept.delete(address);
  kept.set(address, answer);
  const [oldest] = kept.keys();
  if (kept.size > MOST && oldest !== undefined) kept.delete(oldest);
}

function forgetOthers(): void {
  const token = storedToken();
  if (token !== keptFor) kept.clear();
  keptFor = token;
}
