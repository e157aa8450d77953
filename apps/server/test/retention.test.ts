import { givePlan } from "./give-plan.ts";
import { randomUUID } from "node:crypto";

import { PLANS, TRIAL } from "@stipple/contract";
import { Random } from "@stipple/numerics/random";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PaidTier } from "../src/db/schema.ts";
import { holdForDownload, isDownloaded } from "../src/projects/download-holds.ts";
import { deleteExpiredProjects } from "../src/projects/delete-expired-projects.ts";
import { sweepExpired } from "../src/sweep-expired.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { keysOf, remaining } from "./stored.ts";

const DAY_MS = 86_400_000;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function namesOf(token: string): Promise<string[]> {
  const { json } = await server.call("GET", "/projects", { token });
  return (json as { name: string }[]).map(({ name }) => name).sort();
}

/** Keys of a project's files, as last seen. */
const known = new Map<string, string[]>();

async function filesOf(projectId: string): Promise<string[]> {
  const keys = await keysOf(server, projectId);
  if (keys.length > 0) known.set(projectId, keys);
  return remaining(server.context.storage, known.get(projectId) ?? []);
}

describe("storage time", () => {
  it("deletes a trial's projects with their files after four days, but not a subscriber's", async () => {
    const trial = await server.signUp();
    const subscriber = await server.signUp();
    const trialProject = await server.newProject(trial, "Trial's");
    await server.newProject(subscriber, "Subscriber's");
    await server.sendChunk(trial, trialProject, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"tissue_hires_scalef": 0.1}'),
    });
    expect(await filesOf(trialProject)).not.toEqual([]);
    const { id } = (await server.call("GET", "/verify-subscription", { token: subscriber })).json;
    await givePlan(server.context.database.db, id, {
      id: "sub_1",
      tier: "basic",
      period_start: server.clock.now(),
      period_end: new Date(server.clock.now().getTime() + 60 * DAY_MS),
      created_at: server.clock.now(),
    });

    server.clock.advance(3 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    server.clock.advance(2 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(1);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    expect(await namesOf(trial)).toEqual([]);
    expect(await filesOf(trialProject)).toEqual([]);
    expect(await namesOf(subscriber)).toEqual(["Subscriber's"]);

    // While the plan runs, projects without results do not expire.
    server.clock.advance(50 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    // The plan has ended without renewal: they are deleted thirty days later.
    server.clock.advance(10 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(0);
    server.clock.advance(30 * DAY_MS);
    expect(await deleteExpiredProjects(server.context)).toBe(1);
  });

  const scale = { name: "scalefactors_json.json", bytes: Buffer.from("{}") };
  /** A project with a file and, if requested, results completed now. */
  async function project(token: string, name: string, complete: boolean): Promise<string> {
    const id = await server.newProject(token, name);
    await server.sendChunk(token, id, "spatial_11?type=scale", scale);
    if (complete) {
      const userId = await userOf(token);
      const { database, entitlements } = server.context;
      await database.transaction(async (transaction) => {
        await entitlements.reserveAnalysis(transaction, {
          id: randomUUID(),
          userId,
          projectId: id,
        });
        await entitlements.completeAnalysis(transaction, id, 1);
      });
    }
    return id;
  }
  async function userOf(token: string): Promise<string> {
    return (await server.call("GET", "/verify-subscription", { token })).json.id as string;
  }
  /** Read directly: a session would have expired long ago. */
  async function namesKept(userId: string): Promise<string[]> {
    return (await server.context.projects.list(userId)).map(({ name }) => name);
  }
  async function subscribe(id: string, tier: PaidTier, days: number): Promise<void> {
    const now = server.clock.now();
    const row = {
      tier,
      period_start: now,
      period_end: new Date(now.getTime() + days * DAY_MS),
      read_number: 0,
    };
    await server.context.database.db
      .insertInto("subscriptions")
      .values({
        id: `sub_${id}`,
        user_id: id,
        status: "active",
        cancel_at_period_end: false,
        schedule_id: null,
        created_at: now,
        ended_at: null,
        ...row,
      })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
      .execute();
  }
  const sweep = () => deleteExpiredProjects(server.context);

  it("deletes nothing early when the plan is renewed, and states the expiry date", async () => {
    const token = await server.signUp();
    await subscribe(await userOf(token), "basic", 30);
    await project(token, "Kept", true);
    const owner = await userOf(token);
    const daysKept = async () => {
      const [kept] = await server.context.projects.list(owner);
      return (Date.parse(kept?.storage_expiry ?? "") - server.clock.now().getTime()) / DAY_MS;
    };
    expect(await daysKept()).toBeCloseTo(30, 1);
    server.clock.advance(29 * DAY_MS);
    await subscribe(owner, "basic", 31);
    expect(await daysKept()).toBeCloseTo(31, 1);
    server.clock.advance(10 * DAY_MS);
    await sweep();
    expect(await namesKept(owner)).toEqual(["Kept"]);
    server.clock.advance(22 * DAY_MS);
    await sweep();
    expect(await namesKept(owner)).toEqual([]);
  });

  it("keeps the other projects of a person who buys a plan while the first is being removed", async () => {
    const token = await server.signUp();
    const owner = await userOf(token);
    await project(token, "One", false);
    await project(token, "Two", false);
    server.clock.advance(5 * DAY_MS);
    const { storage } = server.context;
    const list = storage.list;
    storage.list = async function* (prefix) {
      await subscribe(owner, "basic", 30);
      yield* list(prefix);
    };
    try {
      await sweep();
    } finally {
      storage.list = list;
    }
    expect(await namesKept(owner)).toHaveLength(1);
  });

  it("leaves time to buy a plan for a project that was created after the last one ended", async () => {
    const kept = async (owner: string, days: number) => {
      await sweep();
      const [late] = await server.context.projects.list(owner);
      const left = Date.parse(late?.storage_expiry ?? "") - server.clock.now().getTime();
      expect(left / DAY_MS).toBeCloseTo(days, 1);
      server.clock.advance(days * DAY_MS);
      await sweep();
      expect(await namesKept(owner)).toEqual([]);
    };
    const token = await server.signUp();
    const owner = await userOf(token);
    server.clock.advance(5 * DAY_MS);
    await project(token, "After the trial", false);
    await kept(owner, TRIAL.days);
    await subscribe(owner, "basic", 1);
    server.clock.advance(40 * DAY_MS);
    await server.context.projects.create(owner, "After the plan", {
      platform: "visium",
      staining: "h_and_e",
      analysis_type: "basic",
    });
    await kept(owner, 30);
  });

  it("keeps what a higher plan promised when a lower one follows", async () => {
    const token = await server.signUp();
    await subscribe(await userOf(token), "enterprise", 30);
    await project(token, "Promised", true);
    const owner = await userOf(token);
    server.clock.advance(60 * DAY_MS);
    await subscribe(owner, "basic", 30);
    await sweep();
    expect(await namesKept(owner)).toEqual(["Promised"]);
    server.clock.advance(121 * DAY_MS);
    await sweep();
    expect(await namesKept(owner)).toEqual([]);
  });

  it("finishes a deletion interrupted by a crash between rows and files", async () => {
    const token = await server.signUp();
    const id = await project(token, "Half gone", false);
    expect(await filesOf(id)).not.toEqual([]);
    const { storage } = server.context;
    const remove = storage.remove;
    storage.remove = () => Promise.reject(new Error("the process was killed"));
    try {
      expect((await server.call("DELETE", `/projects/${id}`, { token })).status).toBe(200);
    } finally {
      storage.remove = remove;
    }
    expect(await namesOf(token)).toEqual([]);
    expect(await filesOf(id)).not.toEqual([]);
    await sweepExpired(server.context);
    expect(await filesOf(id)).toEqual([]);
    await sweepExpired(server.context);
    const { db } = server.context.database;
    expect(await db.selectFrom("deletions").select("key").execute()).toEqual([]);
  });

  it("deletes what else is past its time while a file cannot be removed", async () => {
    const stuck = await server.signUp();
    const id = await project(stuck, "Stuck", false);
    const { database, storage } = server.context;
    const { remove } = storage;
    storage.remove = () => Promise.reject(new Error("EACCES: permission denied"));
    try {
      await server.call("DELETE", `/projects/${id}`, { token: stuck });
      const token = await server.signUp();
      await project(token, "Expired", false);
      const owner = await userOf(token);
      const old = {
        user_id: owner,
        what: "signed_in",
        by: "person",
        at: new Date(0),
        about: "{}",
      } as const;
      await database.db.insertInto("audit_log").values(old).execute();
      server.clock.advance(5 * DAY_MS);
      await sweepExpired(server.context);
      expect(await namesKept(owner)).toEqual([]);
      const log = database.db.selectFrom("audit_log").select("at").where("user_id", "=", owner);
      const times = (await log.execute()).map(({ at }) => at.getTime());
      expect(times).not.toContain(0);
    } finally {
      storage.remove = remove;
    }
    await sweepExpired(server.context);
    expect(await filesOf(id)).toEqual([]);
  });

  it("keeps everything while the payment provider is unreachable", async () => {
    const token = await server.signUp();
    const id = await project(token, "Perhaps renewed", false);
    server.clock.advance(5 * DAY_MS);
    const { context } = server;
    const deaf = {
      ...context,
      billing: { ...context.billing, lookUp: () => Promise.reject(new Error("no answer")) },
    };
    expect(await deleteExpiredProjects(deaf)).toBe(0);
    expect(await filesOf(id)).not.toEqual([]);
    expect(await sweep()).toBe(1);
  });

  it("is safely swept by two workers at once", async () => {
    const token = await server.signUp();
    await project(token, "One", false);
    await project(token, "Two", false);
    server.clock.advance(5 * DAY_MS);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await namesOf(token)).toEqual([]);
  });
  describe("whatever people do", () => {
    const PEOPLE = 16;
    const WEEKS = 18;
    const WARNED_MS = 7 * DAY_MS;
    type Bought = (typeof PLANS)[number];

    /** The history of one project, following the plans' stated terms: nothing here asks the server. */
    interface Life {
      userId: string;
      project: string;
      registeredAt: number;
      plan: Bought | null;
      boughtAt: number;
      paidUntil: number;
      completedAt: number | null;
      /** Storage time promised with the results, in days. */
      promised: number;
      isBusy: "run" | "download" | null;
      letGo: () => Promise<void>;
      isGone: boolean;
    }

    /** When storage ends; null if not known yet. */
    function endOf(life: Life, now: number): number | null {
      const { plan, boughtAt, paidUntil, completedAt, promised, registeredAt } = life;
      if (!plan) return registeredAt + TRIAL.days * DAY_MS;
      const kept = Math.max(plan.retentionDays, promised) * DAY_MS;
      if (plan.billing === "one_time") {
        if (completedAt !== null) return completedAt + kept;
        // Valid for its storage time from the purchase; if never used, storage then ends after the same time again.
        const validUntil = boughtAt + plan.retentionDays * DAY_MS;
        return validUntil <= now ? validUntil + kept : null;
      }
      const isPaid = paidUntil > now;
      if (completedAt !== null) return Math.max(completedAt + kept, isPaid ? paidUntil : 0);
      return isPaid ? null : paidUntil + kept;
    }

    /** Whether the plan still allows an analysis. */
    function isOver({ plan, registeredAt, boughtAt, paidUntil }: Life, now: number): boolean {
      if (!plan) return now >= registeredAt + TRIAL.days * DAY_MS;
      return (
        now >= (plan.billing === "one_time" ? boughtAt + plan.retentionDays * DAY_MS : paidUntil)
      );
    }

    it("deletes only what is due, never during a run or a download, and shows the date beforehand", async () => {
      const { database, entitlements, projects } = server.context;
      const { db } = database;
      const random = new Random(11);
      const now = () => server.clock.now().getTime();
      const one = <T>(items: readonly T[]): T => items[random.below(items.length)];
      await sweep();
      const lives: Life[] = [];
      for (let person = 0; person < PEOPLE; person++) {
        const token = await server.signUp();
        const project = await server.newProject(token, `Of ${person}`);
        const row = await db
          .selectFrom("users")
          .innerJoin("projects", "projects.user_id", "users.id")
          .select(["users.id", "users.created_at"])
          .where("projects.id", "=", project)
          .executeTakeFirstOrThrow();
        lives.push({
          userId: row.id,
          project,
          registeredAt: row.created_at.getTime(),
          plan: null,
          boughtAt: 0,
          paidUntil: 0,
          completedAt: null,
          promised: 0,
          isBusy: null,
          letGo: () => Promise.resolve(),
          isGone: false,
        });
      }
      const seen = { trial: 0, one_time: 0, monthly: 0, postponed: 0 };

      async function buy(life: Life): Promise<void> {
        life.plan = one(PLANS);
        life.boughtAt = now();
        const { tier, billing } = life.plan;
        if (billing === "monthly") {
          life.paidUntil = now() + 30 * DAY_MS;
          return subscribe(life.userId, tier, 30);
        }
        const purchase = { id: `cs_${life.userId}`, user_id: life.userId, tier };
        await db
          .insertInto("purchases")
          .values({ ...purchase, purchased_at: server.clock.now() })
          .execute();
      }

      async function complete(life: Life): Promise<void> {
        if (isOver(life, now())) return;
        await database.transaction(async (transaction) => {
          await entitlements.reserveAnalysis(transaction, {
            id: randomUUID(),
            userId: life.userId,
            projectId: life.project,
          });
          await entitlements.completeAnalysis(transaction, life.project, 1);
        });
        life.completedAt = now();
        life.promised = life.plan?.retentionDays ?? 0;
      }

      async function renew(life: Life): Promise<void> {
        life.paidUntil += 30 * DAY_MS;
        await db
          .updateTable("subscriptions")
          .set({ period_end: new Date(life.paidUntil) })
          .where("user_id", "=", life.userId)
          .execute();
      }

      async function setBusy(life: Life): Promise<void> {
        life.isBusy = one(["run", "download"] as const);
        if (life.isBusy === "download") {
          const release = await holdForDownload(db, life.project);
          life.letGo = async () => {
            release();
            await expect.poll(() => isDownloaded(db, life.project)).toBe(false);
          };
          return;
        }
        const id = randomUUID();
        await db
          .insertInto("runs")
          .values({
            id,
            project_id: life.project,
            user_id: life.userId,
            status: "running",
            start_step: 0,
            log: "[]",
            error: null,
            worker: null,
            step: null,
            step_started_at: null,
            created_at: server.clock.now(),
            started_at: server.clock.now(),
            finished_at: null,
          })
          .execute();
        life.letGo = async () => {
          await db.updateTable("runs").set({ status: "failed" }).where("id", "=", id).execute();
        };
      }

      async function act(life: Life): Promise<void> {
        const lot = random.uniform();
        if (life.isBusy !== null) {
          if (lot > 0.5) return;
          await life.letGo();
          life.isBusy = null;
        } else if (life.plan === null && lot < 0.2) await buy(life);
        else if (life.completedAt === null && lot < 0.4) await complete(life);
        else if (life.paidUntil > now() && life.paidUntil - now() < 5 * DAY_MS && lot < 0.6) {
          await renew(life);
        } else if (lot > 0.9) await setBusy(life);
      }

      /** As shown in the project list. */
      async function shownEnd(life: Life): Promise<number | null> {
        const [kept] = await projects.list(life.userId);
        return kept?.storage_expiry ? Date.parse(kept.storage_expiry) : null;
      }

      let passed = 0;
      while (passed < WEEKS * 7) {
        const days = 0.4 + random.uniform() * 4;
        passed += days;
        const living = lives.filter(({ isGone }) => !isGone);
        for (const life of living) await act(life);
        const shown = new Map<Life, number | null>();
        for (const life of living) {
          const [found, expected] = [await shownEnd(life), endOf(life, now())];
          shown.set(life, found);
          expect(found === null).toBe(expected === null);
          expect(Math.abs((found ?? 0) - (expected ?? 0))).toBeLessThan(60_000);
        }
        server.clock.advance(days * DAY_MS);
        const deleted = await sweep();
        let due = 0;
        for (const life of living) {
          const end = endOf(life, now());
          const isDue = end !== null && end <= now();
          const isKept = (await projects.list(life.userId)).length > 0;
          expect([life, isKept]).toEqual([life, !isDue || life.isBusy !== null]);
          if (isDue && isKept) seen.postponed++;
          if (isKept) continue;
          due++;
          life.isGone = true;
          seen[life.plan?.billing ?? "trial"]++;
          // The pages warn for a week, so the last check, at most five days ago, has shown the end.
          expect(shown.get(life)).toBeLessThan(now() + WARNED_MS);
        }
        expect(deleted).toBe(due);
      }
      // Each kind has occurred at least once.
      expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    });
  });
});
