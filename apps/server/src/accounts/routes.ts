import {
  changePassword,
  deleteAccount,
  exportAccount,
  logout,
  register,
  requestPasswordReset,
  resetPassword as resetPasswordRoute,
  verifySubscription,
} from "@stipple/contract";
import { audit } from "../audit/audit.ts";
import { accountOf, accountRead } from "../billing/account-record.ts";
import type { Billing } from "../billing/billing.ts";
import type { Entitlements } from "../billing/entitlements.ts";
import { ApiError } from "../http/api-error.ts";
import { ok, type Mount } from "../http/route-adapter.ts";
import type { Deletions } from "../projects/deletions.ts";
import type { Projects } from "../projects/projects.ts";
import type { Storage } from "../storage/storage.ts";
import { deleteAccountOf, type StoppableRuns } from "./account-deletion.ts";
import { accountExport } from "./account-export.ts";
import { confirmPassword, createAccount, replacePassword } from "./accounts.ts";
import { endCeremoniesOf } from "./ceremonies.ts";
import { welcome } from "./email-verification.ts";
import { deviceCookie } from "./known-devices.ts";
import { endResets, requestReset, resetPassword } from "./password-reset.ts";
import { checkNewPassword } from "./passwords.ts";
import type { AccountServices } from "./services.ts";
import { revokeSession, revokeSessions } from "./sessions.ts";

interface AccountParts extends AccountServices {
  storage: Storage;
  entitlements: Entitlements;
  billing: Billing;
  projects: Projects;
  deletions: Deletions;
  runs: StoppableRuns;
}

const explain = (): ApiError => new ApiError("fields_required");
const perMinute = (max: number) => ({ max, timeWindow: "1 minute" });

export function accountRoutes(mount: Mount, parts: AccountParts): void {
  const { entitlements, billing, config, database } = parts;
  mount(
    register,
    async ({ body }) => {
      welcome(parts, await createAccount(parts, body));
      return { status: 201, body: { message: "Registration successful! You can now log in." } };
    },
    { explain, rateLimit: perMinute(config.signupsPerMinute) },
  );

  mount(logout, async ({ session }) => {
    await database.transaction(async (transaction) => {
      await revokeSession(parts, transaction, session.id);
      await audit(transaction, { userId: session.userId, what: "signed_out" });
    });
    return ok({ message: "You are logged out." });
  });

  mount(
    verifySubscription,
    async ({ session, beside }) => {
      const { subscription, mayBeStale } = entitlements.look(session.userId, accountOf(beside));
      if (!mayBeStale) return ok(subscription);
      await billing.catchUp(session.userId);
      return ok(entitlements.subscriptionOf(session.userId));
    },
    { beside: { read: accountRead } },
  );

  passwordRoutes(mount, parts);
  ownDataRoutes(mount, parts);
}

function passwordRoutes(mount: Mount, parts: AccountParts): void {
  const { config, database, mailer } = parts;
  mount(
    requestPasswordReset,
    async ({ body }) => {
      await requestReset(parts, body.email);
      return ok({
        message:
          "If an account with this email exists, we are sending it a link. The link is valid for one hour.",
        outbox_url: mailer.outboxUrl,
      });
    },
    { explain, rateLimit: perMinute(config.resetsPerMinute) },
  );

  mount(
    resetPasswordRoute,
    async ({ body }) => {
      const { token, password, confirmPassword: confirmation } = body;
      const userId = await resetPassword(parts, token, password, confirmation);
      return {
        status: 200,
        body: { message: "Your password has been changed. You can sign in now." },
        // The mailbox's owner may sign in here, regardless of guesses from elsewhere.
        setCookie: await deviceCookie(parts, userId),
      };
    },
    { explain, rateLimit: perMinute(config.resetsPerMinute) },
  );

  mount(
    changePassword,
    async ({ session, body }) => {
      checkNewPassword(body.password, body.confirmPassword);
      const { userId } = session;
      const confirmed = await confirmPassword(parts, userId, body.current_password);
      await database.transaction(async (transaction) => {
        await replacePassword(transaction, confirmed, body.password);
        await revokeSessions(parts, transaction, userId, session.id);
        await endCeremoniesOf(transaction, userId);
        await endResets(transaction, userId);
        await audit(transaction, { userId, what: "password_changed" });
      });
      const message = "Your password has been changed. All other sessions were signed out.";
      return ok({ message });
    },
    { explain },
  );
}

/** What a person may take with them, and leave. */
function ownDataRoutes(mount: Mount, parts: AccountParts): void {
  mount(exportAccount, async ({ session }) => {
    const document = await accountExport(parts, session.userId);
    await audit(parts.database.db, { userId: session.userId, what: "account_exported" });
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
      await confirmPassword(parts, session.userId, body.password);
      await deleteAccountOf(parts, session.userId);
      return ok({ message: "Your account has been deleted." });
    },
    { explain },
  );
}
