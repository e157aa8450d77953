import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Db } from "../db/database.ts";
import { countOf } from "../db/rows.ts";
import { ApiError } from "../http/api-error.ts";
import { beginCeremony, ceremonyOf, endCeremony } from "./ceremonies.ts";
import type { AccountServices } from "./services.ts";

/*
 * Passkeys (WebAuthn): as a second step after the password, or in its place.
 */

type Json = Record<string, unknown>;

export interface NewPasskey {
  ticket: string;
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

const MAX_PASSKEYS = 20;
const LONGEST_NAME = 60;

/** The library is loaded only when needed, because it is large. */
const library = () => import("@simplewebauthn/server");

/** What passkeys are bound to: the host of the pages. */
function site({ config }: AccountServices): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(config.publicUrl);
  return { rpID: hostname, origin };
}

async function idsOf({ database }: AccountServices, userId: string) {
  const rows = await database.db
    .selectFrom("passkeys")
    .select(["id", "transports"])
    .where("user_id", "=", userId)
    .execute();
  return rows.map(({ id, transports }) => ({
    id,
    transports: transports as AuthenticatorTransport[],
  }));
}

/** What the browser needs to make one. */
export async function startAddingPasskey(
  services: AccountServices,
  user: { id: string; email: string },
): Promise<{ ticket: string; options: Json }> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: "Stipple",
    rpID: site(services).rpID,
    userName: user.email,
    userID: new TextEncoder().encode(user.id),
    attestationType: "none",
    excludeCredentials: await idsOf(services, user.id),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  const { challenge } = options;
  const ticket = await beginCeremony(services, "add passkey", { userId: user.id, challenge });
  return { ticket, options: options as unknown as Json };
}

/** Checks what the browser has made. Throws passkey_refused, sign_in_step_over. */
export async function checkNewPasskey(
  services: AccountServices,
  userId: string,
  ticket: string,
  response: Json,
): Promise<NewPasskey> {
  const ceremony = await ceremonyOf(services, "add passkey", ticket);
  if (ceremony.userId !== userId) throw new ApiError("sign_in_step_over");
  const { rpID, origin } = site(services);
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: ceremony.challenge ?? "",
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
  }).catch(refused);
  if (!registrationInfo) throw new ApiError("passkey_refused");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { ticket, id, publicKey, counter, transports };
}

/** Stores it under a name and returns the name as stored. In the caller's transaction. Throws limit_reached. */
export async function keepPasskey(
  { clock }: AccountServices,
  query: Db,
  userId: string,
  { ticket, id, publicKey, ...passkey }: NewPasskey,
  wanted: string,
): Promise<string> {
  const name = nameFor(wanted);
  await endCeremony(query, ticket);
  const own = query.selectFrom("passkeys").where("user_id", "=", userId);
  if ((await countOf(own)) >= MAX_PASSKEYS) {
    throw new ApiError(
      "limit_reached",
      `An account can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
    );
  }
  const isNew = await query
    .insertInto("passkeys")
    .values({
      ...{ id, user_id: userId, public_key: Buffer.from(publicKey), ...passkey },
      ...{ name, created_at: clock.now(), last_used_at: null },
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!isNew) throw new ApiError("passkey_refused", "This passkey is already registered.");
  return name;
}

/** What the browser needs to ask for one of this user's passkeys; null = anyone's. */
export async function startAskingPasskey(
  services: AccountServices,
  userId: string | null,
): Promise<{ challenge: string; options: Json }> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: site(services).rpID,
    userVerification: userId === null ? "required" : "preferred",
    ...(userId === null ? {} : { allowCredentials: await idsOf(services, userId) }),
  });
  return { challenge: options.challenge, options: options as unknown as Json };
}

/**
 * The owner of the passkey that signed the challenge. `alone`: it replaces the password too, so the authenticator must
 * have verified its owner (a fingerprint, a PIN). Throws passkey_refused.
 */
export async function ownerOfPasskey(
  services: AccountServices,
  challenge: string,
  response: Json,
  alone: boolean,
): Promise<string> {
  const { clock, database } = services;
  const { id } = response;
  const row = await database.db
    .selectFrom("passkeys")
    .selectAll()
    .where("id", "=", typeof id === "string" ? id.replaceAll("\0", "") : "")
    .executeTakeFirst();
  if (!row) throw new ApiError("passkey_refused", "This passkey is not registered.");
  const { rpID, origin } = site(services);
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: alone,
    credential: {
      id: row.id,
      publicKey: Uint8Array.from(row.public_key),
      counter: Number(row.counter),
      transports: row.transports as AuthenticatorTransport[],
    },
  }).catch(refused);
  if (!verified) throw new ApiError("passkey_refused");
  await database.db
    .updateTable("passkeys")
    .set({ counter: authenticationInfo.newCounter, last_used_at: clock.now() })
    .where("id", "=", row.id)
    .execute();
  return row.user_id;
}

/** The library explains every answer it rejects in words meant for developers. */
function refused(cause: unknown): never {
  throw new ApiError("passkey_refused", undefined, { cause });
}

function nameFor(name: string): string {
  // eslint-disable-next-line no-control-regex -- PostgreSQL stores no NUL, and a name is one line
  const line = name.replace(/[\u0000-\u001f\u007f]/g, " ").trim();
  return line.slice(0, LONGEST_NAME).toWellFormed() || "Passkey";
}
