import * as routes from "@stipple/contract";
import type { Session } from "../access/session.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import { confirmPassword } from "./accounts.ts";
import { confirmEmail, isEmailConfirmed, sendVerificationLink } from "./email-verification.ts";
import { startAddingPasskey } from "./passkeys.ts";
import {
  addPasskey,
  confirmTotp,
  newRecoveryCodes,
  removePasskey,
  removeTotp,
  securityOf,
  startTotp,
} from "./second-factor.ts";
import type { AccountServices } from "./services.ts";
import { activeSessions, endOtherSessions, endSession } from "./sessions.ts";

/** The sign-in settings that a user can view and change. */
export function securityRoutes(mount: Mount, services: AccountServices): void {
  const { db } = services.database;
  mount(routes.accountSecurity, async ({ session: { userId } }) =>
    ok({
      ...(await securityOf(db, userId)),
      email_verified: await isEmailConfirmed(db, userId),
      can_verify_email: services.mailer.canSend,
    }),
  );
  secondFactorRoutes(mount, services);
  sessionRoutes(mount, services);
  emailRoutes(mount, services);
}

const person = ({ userId, email }: Session) => ({ id: userId, email });

function secondFactorRoutes(mount: Mount, services: AccountServices): void {
  mount(routes.startTotp, async ({ session, body }) => {
    await confirmPassword(services, session.userId, body.password);
    return ok(startTotp(services, person(session)));
  });

  mount(routes.confirmTotp, async ({ session: { userId }, body: { ticket, code } }) =>
    ok({
      message: "Your authenticator app is on.",
      recovery_codes: await confirmTotp(services, userId, ticket, code),
    }),
  );

  mount(routes.removeTotp, async ({ session: { userId }, body }) => {
    await confirmPassword(services, userId, body.password);
    await removeTotp(services, userId);
    return ok({ message: "Your authenticator app is off." });
  });

  mount(routes.startPasskey, async ({ session, body }) => {
    await confirmPassword(services, session.userId, body.password);
    return ok(startAddingPasskey(services, person(session)));
  });

  mount(routes.addPasskey, async ({ session: { userId }, body }) =>
    ok({
      message: "Your passkey was added.",
      recovery_codes: await addPasskey(services, userId, body),
    }),
  );

  mount(routes.removePasskey, async ({ session: { userId }, params, body }) => {
    await confirmPassword(services, userId, body.password);
    await removePasskey(services, userId, params.id);
    return ok({ message: "The passkey was removed." });
  });

  mount(routes.newRecoveryCodes, async ({ session: { userId }, body }) => {
    await confirmPassword(services, userId, body.password);
    return ok({ recovery_codes: await newRecoveryCodes(services, userId) });
  });
}

function sessionRoutes(mount: Mount, services: AccountServices): void {
  mount(routes.listSessions, async ({ session }) => {
    const rows = await activeSessions(services, session.userId);
    return ok(
      rows.map(({ created_at, last_seen_at, ...row }) => ({
        ...row,
        created_at: created_at.toISOString(),
        last_seen_at: last_seen_at.toISOString(),
        current: row.id === session.id,
      })),
    );
  });

  mount(routes.endSession, async ({ session, params }) => {
    await endSession(services, session.userId, params.id);
    return ok({ message: "The session was signed out." });
  });

  mount(routes.endOtherSessions, async ({ session }) => {
    await endOtherSessions(services, session.userId, session.id);
    return ok({ message: "All other sessions were signed out." });
  });
}

function emailRoutes(mount: Mount, services: AccountServices): void {
  mount(routes.sendVerification, async ({ session }) => {
    await sendVerificationLink(services, person(session));
    return ok({
      message: "We are sending you a link. It is valid for seven days.",
      outbox_url: services.mailer.outboxUrl,
    });
  });

  mount(
    routes.verifyEmail,
    async ({ body }) => {
      await confirmEmail(services, body.token);
      return ok({ message: "Your email address is confirmed." });
    },
    { rateLimit: { max: services.config.resetsPerMinute, timeWindow: "1 minute" } },
  );
}
