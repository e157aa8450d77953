import type { Expression, ExpressionBuilder } from "kysely";
import type { Schema } from "../db/schema.ts";

/** A signed-in person. */
export interface Session {
  id: string;
  userId: string;
  email: string;
}

/**
 * What a route reads in the same query as the session, as JSON: about the user, whose row is `users`, or about a
 * project, if the caller names one. It must return nothing about another user's project.
 */
export type ReadWithSession<T> = (
  users: ExpressionBuilder<Schema, "users">,
  projectId: string,
) => Expression<T>;

/** Who a bearer token belongs to, and what was read along with it. Throws unauthenticated. */
export type VerifySession = (
  token: string,
  beside?: { read: ReadWithSession<unknown>; projectId: string | null },
) => Promise<{ session: Session; beside: string | null }>;
