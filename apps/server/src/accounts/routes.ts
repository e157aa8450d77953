import {
  changePassword,
  deleteAccount,
  exportAccount,
  logout,
  register,
  requestPasswordReset,
  resetPassword,
  verifySubscription,
} from "@stipple/contract";
import { audit } from "../audit/audit.ts";
import { accountOf, accountRead } from "../billing/account-record.ts";
import type { Accounts } from "./accounts.ts";
import type { Billing } from "../billing/billing.ts";
import type { Ceremonies } from "./ceremonies.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Deletions } from "../projects/deletions.ts";
import type { EmailVerification } from "./email-verification.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { Mailer } from "../notices/mailer.ts";
import type { PasswordReset } from "./password-reset.ts";
import type { Projects } from "../projects/projects.ts";
import type { Sessions } from "./sessions.ts";
import { ApiError } from "../http/api-error.ts";
import type { Storage } from "../storage/storage.ts";
import type { Mount } from "../http/route-adapter.ts";
import { deleteAccountOf } from "./account-deletion.ts";
import { accountExport } from "./account-export.ts";
import { checkNewPassword } from "./passwords.ts";

interface AccountParts {
  storage: Storage;
  accounts: Accounts;
  sessions: Sessions;
  passwordReset: PasswordReset;
  mailer: Mailer;
  entitlements: Entitlements;
  billing: Billing;
  config: Config;
  database: Database;
  emailVerification: EmailVerification;
  knownDevices: KnownDevices;
  ceremonies: Ceremonies;
  clock: Clock;
  projects: Projects;
  deletions: Deletions;
}

const explain = (): ApiError => new ApiError("fields_required");
const perMinute = (max: number) => ({ max, timeWindow: "1 minute" });

export function accountRoutes(mount: Mount, parts: AccountParts): void {
  const { accounts, sessions, entitlements, billing, config, database, emailVerification } = parts;
  mount(
    register,
    async ({ body }) => {
      emailVerification.welcome(await accounts.register(body));
      return { status: 201, body: { message: "Registration successful! You can now log in." } };
    },
    { explain, rateLimit: perMinute(config.signupsPerMinute) },
  );

  mount(logout, async ({ session }) => {
    await database.transaction(async (transaction) => {
      await sessions.revoke(session.id, transaction);
      await audit(transaction, { userId: session.userId, what: "signed_out" });
    });
    return { status: 200, body: { message: "You are logged out." } };
  });

  mount(
    verifySubscription,
    async ({ session, beside }) => {
      const { subscription, mayBeStale } = entitlements.look(session.userId, accountOf(beside));
      if (!mayBeStale) return { status: 200, body: subscription };
      await billing.catchUp(session.userId);
      return { status: 200, body: await entitlements.subscriptionOf(session.userId) };
    },
    { beside: { read: accountRead } },
  );

  passwordRoutes(mount, parts);
  ownDataRoutes(mount, parts);
}

function passwordRoutes(mount: Mount, parts: AccountParts): void {
  const { accounts, sessions, passwordReset, mailer, config, database } = parts;
  const { knownDevices, ceremonies } = parts;
  mount(
    requestPasswordReset,
    async ({ body }) => {
      await passwordReset.request(body.email);
      return {
        status: 200,
        body: {
          message:
            "If an account with this email exists, we are sending it a link. The link is valid for one hour.",
          outbox_url: mailer.outboxUrl,
        },
      };
    },
    { explain, rateLimit: perMinute(config.resetsPerMinute) },
  );

  mount(
    resetPassword,
    async ({ body }) => {
      const userId = await passwordReset.reset(body.token, body.password, body.confirmPassword);
      return {
        status: 200,
        body: { message: "Your password has been changed. You can sign in now." },
        // The mailbox's owner may sign in here, regardless of guesses from elsewhere.
        setCookie: await knownDevices.cookieFor(userId),
      };
    },
    { explain, rateLimit: perMinute(config.resetsPerMinute) },
  );

  mount(
    changePassword,
    async ({ session, body }) => {
      checkNewPassword(body.password, body.confirmPassword);
      const { userId } = session;
      const confirmed = await accounts.confirmPassword(userId, body.current_password);
      await database.transaction(async (transaction) => {
        await accounts.replacePassword(confirmed, body.password, transaction);
        await sessions.revokeAll(userId, { except: session.id, query: transaction });
        await ceremonies.endAllOf(transaction, userId);
        await audit(transaction, { userId, what: "password_changed" });
      });
      return {
        status: 200,
        body: { message: "Your password has been changed. All other sessions were signed out." },
      };
    },
    { explain },
  );
}

/** What a person may take with them, and leave. */
function ownDataRoutes(mount: Mount, parts: AccountParts): void {
  const { accounts, billing, clock, database, entitlements, projects, storage } = parts;
  mount(exportAccount, async ({ session }) => {
    const document = await accountExport(
      { db: database.db, clock, billing, entitlements, projects, storage },
      session.userId,
    );
    await audit(database.db, { userId: session.userId, what: "account_exported" });
    return {
      status: 200,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": 'attachment; filename="stipple-account.json"',
        "cache-control": "no-store",
      },
      body: Buffer.from(`${JSON.stringify(document, null, 2)}\n`),
    };
  });

  mount(
    deleteAccount,
    async ({ session, body }) => {
      await accounts.confirmPassword(session.userId, body.password);
      await deleteAccountOf(parts, session.userId);
      return { status: 200, body: { message: "Your account has been deleted." } };
    },
    { explain },
  );
}
