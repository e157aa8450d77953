import { once } from "node:events";
import { get } from "node:http";
import { inject } from "vitest";
import { whenCompleted } from "./client.ts";

/** The platform that all journeys share, and its account with the sample project. */
export interface SharedPlatform {
  url: string;
  dataDir: string;
  /** Token of ada@example.org, who has bought a Single Analysis. Journeys of other users create their own accounts. */
  token: string;
  /** Ada's sample project. Its run starts immediately; `finishedSample` waits for it to end. */
  projectId: string;
}

/** Starts the shared platform if this is the first journey. It is closed after all tests. */
export async function sharedPlatform(): Promise<SharedPlatform> {
  const answer = await fetch(inject("journeysHost"));
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedPlatform;
}

/** The shared platform, once its sample project has all results. */
export async function finishedSample(): Promise<SharedPlatform> {
  const shared = await sharedPlatform();
  await whenCompleted(shared.url, shared.token, shared.projectId);
  return shared;
}

/** Path of the journeys' host that answers when a turn begins. */
export const TURN_PATH = "/turn";

/**
 * Waits until no other journey changes the sample's annotations, which one undo or a newer state would mix up; disposing
 * of it ends the turn.
 */
export async function annotationsTurn(): Promise<Disposable> {
  const request = get(`${inject("journeysHost")}${TURN_PATH}`);
  await once(request, "response");
  // Ending the turn ends the connection.
  request.on("error", () => undefined);
  return { [Symbol.dispose]: () => void request.destroy() };
}
