import type { Logger } from "pino";
import type { BillingClock } from "../billing/billing-clock.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Background } from "../notices/background.ts";
import type { Mailer } from "../notices/mailer.ts";

/** What accounts and signing in work with. */
export interface AccountServices {
  background: Background;
  billingClock: BillingClock;
  clock: Clock;
  config: Config;
  database: Database;
  logger: Logger;
  mailer: Mailer;
}
