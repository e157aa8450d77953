import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Clock } from "../clock.ts";
import type { Database, Db } from "../db/database.ts";
import { ApiError } from "../http/api-error.ts";
import type { Ceremonies } from "./ceremonies.ts";

type Json = Record<string, unknown>;

/** Passkeys (WebAuthn): as a second step after the password, or in its place. */
export interface Passkeys {
  /** What the browser needs to make one. */
  startAdding(user: { id: string; email: string }): Promise<{ ticket: string; options: Json }>;
  /** Checks what the browser has made. Throws passkey_refused, sign_in_step_over. */
  checkNew(userId: string, ticket: string, response: Json): Promise<NewPasskey>;
  /** Stores it under a name and returns the name as stored. In the caller's transaction. Throws limit_reached. */
  keep(query: Db, userId: string, passkey: NewPasskey, name: string): Promise<string>;
  /** What the browser needs to ask for one of this user's passkeys; null = anyone's. */
  startAsking(userId: string | null): Promise<{ challenge: string; options: Json }>;
  /**
   * The owner of the passkey that signed the challenge. `alone`: it replaces the password too, so the authenticator
   * must have verified its owner (a fingerprint, a PIN). Throws passkey_refused.
   */
  check(
    challenge: string,
    response: Json,
    alone: boolean,
  ): Promise<{ userId: string; name: string }>;
  /** Returns its name, or undefined if the user has no such passkey. In the caller's transaction. */
  remove(query: Db, userId: string, id: string): Promise<string | undefined>;
}

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

export function openPasskeys(parts: {
  database: Database;
  clock: Clock;
  ceremonies: Ceremonies;
  /** Address of the pages: passkeys are bound to its host. */
  publicUrl: string;
}): Passkeys {
  const { db } = parts.database;
  const { clock, ceremonies } = parts;
  const { hostname: rpID, origin } = new URL(parts.publicUrl);

  async function idsOf(userId: string) {
    const rows = await db
      .selectFrom("passkeys")
      .select(["id", "transports"])
      .where("user_id", "=", userId)
      .execute();
    return rows.map(({ id, transports }) => ({
      id,
      transports: transports as AuthenticatorTransport[],
    }));
  }

  return {
    async startAdding(user) {
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: "Stipple",
        rpID,
        userName: user.email,
        userID: new TextEncoder().encode(user.id),
        attestationType: "none",
        excludeCredentials: await idsOf(user.id),
        authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      });
      const { challenge } = options;
      const ticket = await ceremonies.begin("add passkey", { userId: user.id, challenge });
      return { ticket, options: options as unknown as Json };
    },
    async checkNew(userId, ticket, response) {
      const ceremony = await ceremonies.look("add passkey", ticket);
      if (ceremony.userId !== userId) throw new ApiError("sign_in_step_over");
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
    },
    async keep(query, userId, passkey, wanted) {
      const name = nameFor(wanted);
      await ceremonies.end(query, passkey.ticket);
      const { count } = await query
        .selectFrom("passkeys")
        .select((select) => select.fn.countAll<string>().as("count"))
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_PASSKEYS) {
        throw new ApiError(
          "limit_reached",
          `An account can have ${MAX_PASSKEYS} passkeys. Remove one first.`,
        );
      }
      const isNew = await query
        .insertInto("passkeys")
        .values({
          id: passkey.id,
          user_id: userId,
          public_key: Buffer.from(passkey.publicKey),
          counter: passkey.counter,
          transports: passkey.transports,
          name,
          created_at: clock.now(),
          last_used_at: null,
        })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("id")
        .executeTakeFirst();
      if (!isNew) throw new ApiError("passkey_refused", "This passkey is already registered.");
      return name;
    },
    async startAsking(userId) {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({
        rpID,
        userVerification: userId === null ? "required" : "preferred",
        ...(userId === null ? {} : { allowCredentials: await idsOf(userId) }),
      });
      return { challenge: options.challenge, options: options as unknown as Json };
    },
    async check(challenge, response, alone) {
      const { id } = response;
      const row = await db
        .selectFrom("passkeys")
        .selectAll()
        .where("id", "=", typeof id === "string" ? id.replaceAll("\0", "") : "")
        .executeTakeFirst();
      if (!row) throw new ApiError("passkey_refused", "This passkey is not registered.");
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
      await db
        .updateTable("passkeys")
        .set({ counter: authenticationInfo.newCounter, last_used_at: clock.now() })
        .where("id", "=", row.id)
        .execute();
      return { userId: row.user_id, name: row.name };
    },
    async remove(query, userId, id) {
      const gone = await query
        .deleteFrom("passkeys")
        .where("user_id", "=", userId)
        .where("id", "=", id.replaceAll("\0", ""))
        .returning("name")
        .executeTakeFirst();
      return gone?.name;
    },
  };
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
