import {
  accountSecurity,
  addPasskey,
  confirmTotp,
  endOtherSessions,
  endSession,
  listSessions,
  newRecoveryCodes,
  removePasskey,
  removeTotp,
  sendVerification,
  startPasskey,
  startTotp,
  verifyEmail,
} from "@stipple/contract";
import type { Accounts } from "./accounts.ts";
import type { Config } from "../config.ts";
import type { EmailVerification } from "./email-verification.ts";
import type { Mailer } from "../notices/mailer.ts";
import type { SecondFactor } from "./second-factor.ts";
import type { Sessions } from "./sessions.ts";
import type { Mount } from "../http/route-adapter.ts";
import type { Session } from "../access/session.ts";

interface SecurityParts {
  accounts: Accounts;
  sessions: Sessions;
  secondFactor: SecondFactor;
  emailVerification: EmailVerification;
  mailer: Mailer;
  config: Config;
}

/** The sign-in settings that a user can view and change. */
export function securityRoutes(mount: Mount, parts: SecurityParts): void {
  const { secondFactor, emailVerification, mailer } = parts;
  mount(accountSecurity, async ({ session }) => ({
    status: 200,
    body: {
      ...(await secondFactor.state(session.userId)),
      email_verified: await emailVerification.isConfirmed(session.userId),
      can_verify_email: mailer.canSend,
    },
  }));

  secondFactorRoutes(mount, parts);
  sessionRoutes(mount, parts);
  emailRoutes(mount, parts);
}

const person = ({ userId, email }: Session) => ({ id: userId, email });

function secondFactorRoutes(mount: Mount, { accounts, secondFactor }: SecurityParts): void {
  mount(startTotp, async ({ session, body }) => {
    await accounts.confirmPassword(session.userId, body.password);
    return { status: 200, body: await secondFactor.startTotp(person(session)) };
  });

  mount(confirmTotp, async ({ session, body }) => ({
    status: 200,
    body: {
      message: "Your authenticator app is on.",
      recovery_codes: await secondFactor.confirmTotp(session.userId, body.ticket, body.code),
    },
  }));

  mount(removeTotp, async ({ session, body }) => {
    await accounts.confirmPassword(session.userId, body.password);
    await secondFactor.removeTotp(session.userId);
    return { status: 200, body: { message: "Your authenticator app is off." } };
  });

  mount(startPasskey, async ({ session, body }) => {
    await accounts.confirmPassword(session.userId, body.password);
    return { status: 200, body: await secondFactor.passkeys.startAdding(person(session)) };
  });

  mount(addPasskey, async ({ session, body }) => ({
    status: 200,
    body: {
      message: "Your passkey was added.",
      recovery_codes: await secondFactor.addPasskey(
        session.userId,
        body.ticket,
        body.name,
        body.response,
      ),
    },
  }));

  mount(removePasskey, async ({ session, params, body }) => {
    await accounts.confirmPassword(session.userId, body.password);
    await secondFactor.removePasskey(session.userId, params.id);
    return { status: 200, body: { message: "The passkey was removed." } };
  });

  mount(newRecoveryCodes, async ({ session, body }) => {
    await accounts.confirmPassword(session.userId, body.password);
    return {
      status: 200,
      body: { recovery_codes: await secondFactor.newRecoveryCodes(session.userId) },
    };
  });
}

function sessionRoutes(mount: Mount, { sessions }: SecurityParts): void {
  mount(listSessions, async ({ session }) => ({
    status: 200,
    body: (await sessions.list(session.userId)).map((row) => ({
      id: row.id,
      created_at: row.createdAt.toISOString(),
      last_seen_at: row.lastSeenAt.toISOString(),
      address: row.address,
      device: row.device,
      current: row.id === session.id,
    })),
  }));

  mount(endSession, async ({ session, params }) => {
    await sessions.end(session.userId, params.id);
    return { status: 200, body: { message: "The session was signed out." } };
  });

  mount(endOtherSessions, async ({ session }) => {
    await sessions.endOthers(session.userId, session.id);
    return { status: 200, body: { message: "All other sessions were signed out." } };
  });
}

function emailRoutes(mount: Mount, { emailVerification, mailer, config }: SecurityParts): void {
  mount(sendVerification, async ({ session }) => {
    await emailVerification.send(person(session));
    return {
      status: 200,
      body: {
        message: "We are sending you a link. It is valid for seven days.",
        outbox_url: mailer.outboxUrl,
      },
    };
  });

  mount(
    verifyEmail,
    async ({ body }) => {
      await emailVerification.confirm(body.token);
      return { status: 200, body: { message: "Your email address is confirmed." } };
    },
    { rateLimit: { max: config.resetsPerMinute, timeWindow: "1 minute" } },
  );
}
