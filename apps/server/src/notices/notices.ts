import type { Logger } from "pino";
import type { Plan } from "@stipple/contract";
import type { Background } from "./background.ts";
import type { Mail, Mailer } from "./mailer.ts";
import type { Config } from "../config.ts";
import type { Db } from "../db/database.ts";
import * as texts from "./texts.ts";

/**
 * Emails about what happened to an account. They are sent in the background: what they report neither waits for them
 * nor fails with them.
 */
export interface Notices {
  paid(userId: string, payment: texts.Payment, receipt: () => Promise<string | null>): void;
  renewalFailed(userId: string, payment: Pick<texts.Payment, "plan" | "amountCents">): void;
  cancelled(userId: string, about: { plan: Plan | undefined; until: Date }): void;
  /** A sign-in from a browser that the account has not been used in before. */
  signedIn(userId: string, from: { device: string; address: string; at: Date }): void;
}

export function openNotices(parts: {
  db: Db;
  mailer: Mailer;
  config: Pick<Config, "publicUrl" | "mail">;
  logger: Logger;
  background: Background;
}): Notices {
  const { db, mailer, config, logger, background } = parts;
  const { publicUrl, mail } = config;

  function send(isWanted: boolean, userId: string, write: () => Promise<Omit<Mail, "to">>): void {
    if (!isWanted || !mailer.canSend) return;
    const work = async (): Promise<void> => {
      const user = await db
        .selectFrom("users")
        .select("email")
        .where("id", "=", userId)
        .executeTakeFirst();
      if (user) await mailer.send({ to: user.email, ...(await write()) });
    };
    background.add(work(), (err) => logger.warn({ err, userId }, "a notice was not emailed"));
  }

  return {
    paid(userId, payment, receipt) {
      send(mail.ofPlans, userId, async () => {
        const url = await receipt().catch(() => null);
        return texts.paid(payment, { receipt: url, publicUrl });
      });
    },
    renewalFailed(userId, payment) {
      send(mail.ofPlans, userId, () => Promise.resolve(texts.renewalFailed(payment, publicUrl)));
    },
    cancelled(userId, about) {
      send(mail.ofPlans, userId, () => Promise.resolve(texts.cancelled(about, publicUrl)));
    },
    signedIn(userId, from) {
      send(mail.ofSignIns, userId, () => Promise.resolve(texts.signedIn(from, publicUrl)));
    },
  };
}
