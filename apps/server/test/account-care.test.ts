import { deleteAccountOf } from "../src/accounts/account-deletion.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LAST_STEP, planByTitle, stepFolder } from "@stipple/contract";
import { verify } from "@node-rs/argon2";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { removeSecondFactor } from "../src/admin/people.ts";
import { authenticate } from "../src/accounts/accounts.ts";
import { isPassword } from "../src/accounts/passwords.ts";
import { issueSession } from "../src/accounts/sessions.ts";
import { sweepAuditLog } from "../src/audit/audit.ts";
import { customerOf, openCheckout } from "../src/billing/checkout.ts";
import { openProvider } from "../src/billing/provider.ts";
import { openMailer } from "../src/notices/mailer.ts";
import { startMailServer } from "./mail-server.ts";
import type { TestSandbox } from "./payment-sandbox.ts";
import { publishFiles } from "./published.ts";
import type { TestServer } from "./server.ts";
import { keysOf, remaining } from "./stored.ts";
import { startServerWithSandbox, type ServerWithSandbox } from "./server-with-sandbox.ts";

const MINUTE_MS = 60_000;
let both: ServerWithSandbox;
let server: TestServer;
let sandbox: TestSandbox;

beforeAll(async () => {
  both = await startServerWithSandbox({
    STIPPLE_LOGIN_FAILURES: "3",
    STIPPLE_RESETS_PER_MINUTE: "1000",
    STIPPLE_TRUST_PROXY: "1",
  });
  ({ server, sandbox } = both);
});
afterAll(() => both?.[Symbol.asyncDispose]());

const post = (path: string, body: unknown, token?: string) =>
  server.call("POST", path, { body, ...(token ? { token } : {}) });
const login = (email: string, password: string) => post("/login", { email, password });
const isSignedIn = async (token: string) =>
  (await server.call("GET", "/projects", { token })).status === 200;

async function addAuthenticatorApp(token: string): Promise<void> {
  const { ticket, secret } = (await post("/account/totp", { password: "secret1" }, token)).json;
  const code = new TOTP({ secret: Secret.fromBase32(secret as string) }).generate({
    timestamp: server.clock.now().getTime(),
  });
  expect((await post("/account/totp/confirm", { ticket, code }, token)).status).toBe(200);
}

/** The token in the newest link emailed to someone, from the outbox page. */
async function mailedToken(
  email: string,
  to: "reset-password" | "verify-email" = "reset-password",
): Promise<string | undefined> {
  await server.context.background.settled();
  const link = new RegExp(`/${to}#([\\w-]+)"`);
  const mails = (await sandbox.outbox()).split("<article");
  const mail = mails.find((part) => part.includes(`To ${email},`) && link.test(part));
  return mail && link.exec(mail)?.[1];
}

describe("a forgotten password", () => {
  it("is reset through a mailed link, once, ending every session", async () => {
    const token = await server.signUp("forgot@example.org");
    const asked = await post("/request-password-reset", { email: "Forgot@Example.org" });
    expect(asked.status).toBe(200);
    expect(asked.json.outbox_url).toBe(server.context.mailer.outboxUrl);
    const link = await mailedToken("forgot@example.org");
    const choose = (password: string, confirmPassword = password) =>
      post("/reset-password", { token: link, password, confirmPassword });

    expect((await choose("short")).json.code).toBe("password_too_short");
    expect((await choose("long enough", "other")).json.code).toBe("passwords_differ");
    expect((await choose("a new one")).status).toBe(200);
    expect(await isSignedIn(token)).toBe(false);
    expect((await login("forgot@example.org", "secret1")).status).toBe(401);
    expect((await login("forgot@example.org", "a new one")).status).toBe(200);
    expect((await choose("another")).json.code).toBe("reset_link_invalid");
  });

  it("can be reset for an hour, and by only one of two concurrent calls", async () => {
    await server.signUp("late@example.org");
    await post("/request-password-reset", { email: "late@example.org" });
    const link = await mailedToken("late@example.org");
    const choose = () =>
      post("/reset-password", { token: link, password: "secret2", confirmPassword: "secret2" });
    server.clock.advance(60 * MINUTE_MS);
    expect((await choose()).json.code).toBe("reset_link_invalid");
    server.clock.advance(-60 * MINUTE_MS);
    await post("/request-password-reset", { email: "late@example.org" });
    const again = await mailedToken("late@example.org");
    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        post("/reset-password", { token: again, password: "secret3", confirmPassword: "secret3" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it("is reset by only one of several links, used at the same moment", async () => {
    const email = "several@example.org";
    await server.signUp(email);
    const links = [];
    for (let i = 0; i < 4; i++) {
      await post("/request-password-reset", { email });
      links.push(await mailedToken(email));
    }
    expect(new Set(links).size).toBe(4);
    const answers = await Promise.all(
      links.map((token) =>
        post("/reset-password", { token, password: "secret4", confirmPassword: "secret4" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it("does not disable the second step", async () => {
    const token = await server.signUp("keeps-step@example.org");
    await addAuthenticatorApp(token);
    await post("/request-password-reset", { email: "keeps-step@example.org" });
    const link = await mailedToken("keeps-step@example.org");
    await post("/reset-password", { token: link, password: "secret2", confirmPassword: "secret2" });
    expect((await login("keeps-step@example.org", "secret2")).status).toBe(202);
  });

  it("leaves a lost second step to the operator, and the user sees that it was removed", async () => {
    const email = "lost-step@example.org";
    const token = await server.signUp(email);
    await expect(removeSecondFactor(server.context, email)).rejects.toThrow(
      "lost-step@example.org has no second factor.",
    );
    await addAuthenticatorApp(token);
    expect((await login(email, "secret1")).status).toBe(202);

    await removeSecondFactor(server.context, email);
    expect(await isSignedIn(token)).toBe(false);
    const again = await login(email, "secret1");
    expect(again.status).toBe(200);
    const own = { token: again.json.token as string };
    const { recovery_codes_left, totp_since } = (await server.call("GET", "/account/security", own))
      .json;
    expect([recovery_codes_left, totp_since]).toEqual([0, null]);
    const { entries } = (await server.call("GET", "/account/activity", own)).json;
    expect(entries[1]).toMatchObject({
      what: "operator_acted",
      by: "operator",
      about: { action: "removed the second factor" },
    });
  });

  it("gives an unknown email the same answer and mails nothing", async () => {
    await server.signUp("here@example.org");
    const known = await post("/request-password-reset", { email: "here@example.org" });
    const unknown = await post("/request-password-reset", { email: "nowhere@example.org" });
    expect([unknown.status, unknown.json]).toEqual([known.status, known.json]);
    expect(await mailedToken("here@example.org")).toBeDefined();
    expect(await mailedToken("nowhere@example.org")).toBeUndefined();
  });

  it("stores no usable token", async () => {
    await server.signUp("hashed@example.org");
    await post("/request-password-reset", { email: "hashed@example.org" });
    const link = await mailedToken("hashed@example.org");
    const rows = await server.context.database.db
      .selectFrom("password_resets")
      .select("token_hash")
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const { token_hash } of rows) {
      expect(token_hash).toMatch(/^[0-9a-f]{64}$/);
      expect(token_hash).not.toContain(link);
    }
  });

  it.each(["limited@example.org", "unknown-limited@example.org"])(
    "may be requested five times an hour: %s",
    async (email) => {
      if (email.startsWith("limited")) await server.signUp(email);
      const answers = [];
      for (let i = 0; i < 6; i++) answers.push(await post("/request-password-reset", { email }));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(Number(answers[5]?.headers.get("retry-after"))).toBeGreaterThan(3000);
      expect(answers[5]?.json.error).toMatch(/try again in (60|59) minutes\.$/);
    },
  );
});

describe("an email address", () => {
  const isVerified = async (token: string) =>
    (await server.call("GET", "/account/security", { token })).json.email_verified as boolean;

  it("is confirmed by a mailed link, once; nothing depends on it", async () => {
    const token = await server.signUp("confirm@example.org");
    expect(await isVerified(token)).toBe(false);
    // The trial is fully usable in the meantime.
    expect(await server.newProject(token)).toMatch(/^[0-9a-f-]{36}$/);
    const first = await mailedToken("confirm@example.org", "verify-email");
    const sent = await post("/account/verify-email", undefined, token);
    expect([sent.status, sent.json.outbox_url]).toEqual([200, server.context.mailer.outboxUrl]);
    const second = await mailedToken("confirm@example.org", "verify-email");
    expect(second).not.toBe(first);

    expect((await post("/verify-email", { token: second })).status).toBe(200);
    expect(await isVerified(token)).toBe(true);
    for (const used of [first, second]) {
      const again = await post("/verify-email", { token: used });
      expect([again.status, again.json.code]).toEqual([400, "verification_link_invalid"]);
    }
  });

  it("has a week to be confirmed, and five links an hour", async () => {
    const token = await server.signUp("late-confirm@example.org");
    const link = await mailedToken("late-confirm@example.org", "verify-email");
    server.clock.advance(7 * 24 * 60 * MINUTE_MS);
    expect((await post("/verify-email", { token: link })).status).toBe(400);
    server.clock.advance(-7 * 24 * 60 * MINUTE_MS);
    const answers = [];
    for (let i = 0; i < 6; i++) {
      answers.push((await post("/account/verify-email", undefined, token)).status);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it("is confirmed by setting a new password through a mailed link", async () => {
    await server.signUp("reset-confirms@example.org");
    await post("/request-password-reset", { email: "reset-confirms@example.org" });
    const link = await mailedToken("reset-confirms@example.org");
    await post("/reset-password", { token: link, password: "secret2", confirmPassword: "secret2" });
    const { token } = (await login("reset-confirms@example.org", "secret2")).json;
    expect(await isVerified(token as string)).toBe(true);
  });
});

it("sends mail by SMTP if a mail server is configured", async () => {
  await using mails = await startMailServer();
  const mailer = openMailer({
    ...server.config,
    mail: {
      smtpUrl: mails.url,
      from: "Stipple <no-reply@example.org>",
      ofRuns: true,
      ofPlans: true,
      ofSignIns: true,
    },
  });
  expect(mailer.outboxUrl).toBeNull();
  await mailer.send({ to: "ada@example.org", subject: "Hello", text: "A link" });
  expect(mails.messages).toHaveLength(1);
  expect(mails.messages[0]).toContain("To: ada@example.org");
  expect(mails.messages[0]).toContain("From: Stipple <no-reply@example.org>");
  expect(mails.messages[0]).toContain("A link");
});

it("accepts mail into the outbox only from the server", async () => {
  const answer = await fetch(`${server.context.mailer.outboxUrl}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ to: "a@b.co", subject: "s", text: "t" }),
  });
  expect(answer.status).toBe(401);
});

describe("login", () => {
  it("does the same work for an unknown email as for a wrong password", async () => {
    const compared: string[] = [];
    const passes = (hashed: string | undefined, password: string): Promise<boolean> =>
      isPassword(hashed, password, (known, given) => {
        compared.push(String(known));
        return verify(known, given);
      });
    const from = { address: "", deviceOf: () => Promise.resolve(null) };
    await server.signUp("work@example.org");
    const refusals = [];
    for (const email of ["work@example.org", "no-work@example.org", "nul\0@example.org"]) {
      const asked = authenticate(server.context, { email, password: "wrong" }, from, passes);
      refusals.push(await asked.catch((error: unknown) => error));
    }
    expect(refusals.map((error) => (error as { code: string }).code)).toEqual(
      Array(3).fill("credentials_wrong"),
    );
    // One hash comparison each, with the same algorithm and cost.
    expect(compared).toHaveLength(3);
    const cost = (hashed: string) => hashed.split("$").slice(0, 4);
    expect(cost(compared[1] ?? "")).toEqual(cost(compared[0] ?? ""));
    expect(cost(compared[0] ?? "")[1]).toBe("argon2id");
  });

  it.each(["guessed@example.org", "unknown-guessed@example.org"])(
    "is blocked for a quarter of an hour after three wrong passwords: %s",
    async (email) => {
      if (email.startsWith("guessed")) await server.signUp(email);
      // In parallel: simultaneous guesses must not outrun the count.
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => login(email, `guess ${i}`)),
      );
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
      const limited = answers.filter(({ status }) => status === 429);
      expect(limited).toHaveLength(5);
      expect(limited[0]?.json.code).toBe("rate_limited");
      expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(800);
      expect((await login(email, "secret1")).status).toBe(429);
      // Also in another spelling, whether or not there is an account.
      expect((await login(email.replace(".", "．"), "secret1")).status).toBe(429);
      server.clock.advance(15 * MINUTE_MS);
      const after = await login(email, "secret1");
      server.clock.advance(-15 * MINUTE_MS);
      expect(after.status).toBe(email.startsWith("guessed") ? 200 : 401);
    },
  );

  it("is not denied to the owner by someone guessing from elsewhere", async () => {
    const email = "hammered@example.org";
    const from = (address: string, password: string, cookie?: string) =>
      server.call("POST", "/login", {
        body: { email, password },
        headers: { "x-forwarded-for": address, ...(cookie ? { cookie } : {}) },
      });
    await server.signUp(email);
    const home = await from("192.0.2.1", "secret1");
    const cookie = home.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^stipple-device-[0-9a-f]{12}=[\w.-]+; Path=\/api\/login; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    );
    const device = cookie.split(";")[0] ?? "";
    for (let i = 0; i < 6; i++) await from(`198.51.100.${i}`, `guess ${i}`);

    expect((await from("198.51.100.9", "secret1")).status).toBe(429);
    // The owner still gets in: from the address of a session, and anywhere with a browser that was signed in before.
    expect((await from("192.0.2.1", "secret1")).status).toBe(200);
    expect((await from("203.0.113.7", "secret1", device)).status).toBe(200);
    // A known device has its own count but is no bypass: neither another account's cookie nor a forged one works.
    const guesses = [];
    for (let i = 0; i < 4; i++) guesses.push((await from("203.0.113.8", "no", device)).status);
    expect(guesses).toEqual([401, 401, 401, 429]);
    const other = await server.signUp("not-hammered@example.org").then(() =>
      server.call("POST", "/login", {
        body: { email: "not-hammered@example.org", password: "secret1" },
        headers: { "x-forwarded-for": "198.51.100.77" },
      }),
    );
    const foreign = (other.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const renamed = `${device.split("=")[0]}=${foreign.split("=")[1]}`;
    for (const made of [foreign, renamed, `${device}x`]) {
      expect((await from("198.51.100.78", "secret1", made)).status).toBe(429);
    }

    // From anywhere: a link sent to the mailbox makes the browser that uses it a known device.
    await post("/request-password-reset", { email });
    const reset = await post("/reset-password", {
      token: await mailedToken(email),
      password: "secret2",
      confirmPassword: "secret2",
    });
    for (let i = 0; i < 6; i++) await from(`198.51.100.${i}`, `guess ${i}`);
    const fresh = (reset.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect((await from("203.0.113.9", "secret2")).status).toBe(429);
    expect((await from("203.0.113.9", "secret2", fresh)).status).toBe(200);
  });

  it("accepts a new password immediately, regardless of earlier failed attempts", async () => {
    const email = "mistyped@example.org";
    const at = { "x-forwarded-for": "192.0.2.44" };
    const from = (password: string, typed = email) =>
      server.call("POST", "/login", { body: { email: typed, password }, headers: at });
    await server.signUp(email);
    await from("secret1");
    // From a session's address, by a program that keeps no cookies; spaces do not make it a different account.
    for (let i = 0; i < 4; i++)
      await from(`guess ${i}`, `${" ".repeat(i)}Mistyped@example.org${" ".repeat(i)}`);
    expect((await from("secret1")).status).toBe(429);
    await post("/request-password-reset", { email });
    const token = await mailedToken(email);
    await post("/reset-password", { token, password: "secret2", confirmPassword: "secret2" });
    expect((await from("secret2")).status).toBe(200);
  });

  it("accepts the right password any number of times, even concurrently", async () => {
    await server.signUp("often@example.org");
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => login("often@example.org", "secret1")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });
});

describe("a changed password", () => {
  it("requires the current one and ends every other session", async () => {
    const here = await server.signUp("change@example.org");
    const elsewhere = (await login("change@example.org", "secret1")).json.token as string;
    const change = (current_password: string, password: string, confirmPassword = password) =>
      post("/change-password", { current_password, password, confirmPassword }, here);
    const wrong = await change("not it", "secret2");
    expect([wrong.status, wrong.json.code]).toEqual([403, "password_wrong"]);
    expect((await change("secret1", "five5")).json.code).toBe("password_too_short");
    expect((await change("secret1", "secret2", "x")).json.code).toBe("passwords_differ");
    expect(await isSignedIn(elsewhere)).toBe(true);

    expect((await change("secret1", "secret2")).status).toBe(200);
    expect([await isSignedIn(here), await isSignedIn(elsewhere)]).toEqual([true, false]);
    expect((await login("change@example.org", "secret2")).status).toBe(200);
  });

  it("ends links for a new one that were mailed before", async () => {
    const email = "asked-before@example.org";
    const here = await server.signUp(email);
    await post("/request-password-reset", { email });
    const link = await mailedToken(email);
    await post(
      "/change-password",
      { current_password: "secret1", password: "secret2", confirmPassword: "secret2" },
      here,
    );
    const wanted = { token: link, password: "another", confirmPassword: "another" };
    expect((await post("/reset-password", wanted)).json.code).toBe("reset_link_invalid");
    expect(await isSignedIn(here)).toBe(true);
  });

  it("ends sign-ins with the old one that were under way", async () => {
    const email = "under-way@example.org";
    const here = await server.signUp(email);
    const from = { address: "", deviceOf: () => Promise.resolve(null) };
    const wanted = { email, password: "secret1" };
    // Compared, but without a session yet.
    const account = await authenticate(server.context, wanted, from);
    await post(
      "/change-password",
      { current_password: "secret1", password: "secret2", confirmPassword: "secret2" },
      here,
    );
    await expect(issueSession(server.context, account, "password")).rejects.toMatchObject({
      code: "credentials_wrong",
    });
  });

  it("is changed once by several concurrent calls with the same old one", async () => {
    const here = await server.signUp("changes@example.org");
    const wanted = [1, 2, 3, 4, 5].map((at) => `secret-${at}`);
    const answers = await Promise.all(
      wanted.map((password) =>
        post(
          "/change-password",
          { current_password: "secret1", password, confirmPassword: password },
          here,
        ),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403]);
    const won = wanted[answers.findIndex(({ status }) => status === 200)];
    expect((await login("changes@example.org", won)).status).toBe(200);
  });
});

describe("the audit log", () => {
  const log = async (token: string, before?: string) =>
    (await server.call("GET", `/account/activity${before ? `?before=${before}` : ""}`, { token }))
      .json as { entries: Record<string, string>[]; next: string | null; kept_days: number };

  it("shows the user what happened to the account, by whom, and from where", async () => {
    const { call } = server;
    const token = await server.signUp("audited@example.org");
    const other = await server.signUp("not-audited@example.org");
    await call("POST", "/login", {
      body: { email: "audited@example.org", password: "wrong" },
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Firefox/128.0" },
    });
    await subscribe(token);
    const project = await server.newProject(token, "Colon 4");
    const slot = `spatial_11?type=scale`;
    await server.sendChunk(token, project, slot, {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"tissue_hires_scalef": 0.2}'),
    });
    await call("DELETE", `/upload/spatial_11?project_id=${project}&type=scale`, { token });
    await publishFiles(server, project, LAST_STEP, {
      [`${stepFolder(LAST_STEP)}/summary.json`]: "{}",
    });
    const made = await post(`/projects/${project}/shares`, { days: 7, note: "Ada" }, token);
    const link = (made.json.url as string).split("/").at(-1);
    for (let i = 0; i < 2; i++) await call("GET", `/visualization/${link}/manifest`);
    await call("DELETE", `/projects/${project}/shares/${made.json.id}`, { token });
    const download = await call("POST", `/create_download_link?project_id=${project}`, { token });
    await call("GET", (download.json.url as string).replace("/api", ""));
    await call("GET", "/account/export", { token });
    await post("/cancel-subscription", {}, token);
    await post("/reactivate-subscription", undefined, token);
    await call("DELETE", `/projects/${project}`, { token });
    await post("/delete-account", { password: "wrong" }, token);
    await post("/logout", undefined, token);

    const again = (await login("audited@example.org", "secret1")).json.token as string;
    const { entries, kept_days } = await log(again);
    expect(kept_days).toBe(365);
    expect(entries.map(({ what, by }) => `${what} by ${by}`).reverse()).toEqual([
      "account_created by person",
      "signed_in by person",
      "sign_in_failed by visitor",
      "plan_bought by provider",
      "file_removed by person",
      "share_made by person",
      "share_opened by visitor",
      "share_revoked by person",
      "results_downloaded by person",
      "account_exported by person",
      "plan_cancelled by person",
      "plan_reactivated by person",
      "project_deleted by person",
      "password_refused by person",
      "signed_out by person",
      "signed_in by person",
    ]);
    const of = (what: string) => entries.find((entry) => entry["what"] === what);
    expect(of("sign_in_failed")).toMatchObject({
      address: "127.0.0.1",
      device: "Firefox on Linux",
    });
    expect(of("plan_bought")).toMatchObject({
      about: { plan: "Basic Tier", amount: "$750.00" },
      address: null,
      device: null,
    });
    expect(of("file_removed")?.["about"]).toEqual({
      project: "Colon 4",
      file: "scalefactors_json.json",
    });
    expect(of("share_opened")?.["about"]).toEqual({ project: "Colon 4", note: "Ada" });
    expect((await log(other)).entries.map(({ what }) => what)).toEqual([
      "signed_in",
      "account_created",
    ]);
  });

  it("is paginated, and kept for a year", async () => {
    const { db } = server.context.database;
    const token = await server.signUp("paged@example.org");
    const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const old = new Date(Date.now() - 366 * 86_400_000);
    await db
      .insertInto("audit_log")
      .values(
        Array.from({ length: 60 }, (_, i) => ({
          user_id: id,
          at: i < 30 ? old : new Date(),
          what: "results_downloaded",
          by: "person",
          about: "{}",
          address: null,
          device: null,
        })),
      )
      .execute();
    const first = await log(token);
    const second = await log(token, first.next ?? "");
    expect([first.entries.length, second.entries.length, second.next]).toEqual([50, 12, null]);
    expect(new Set([...first.entries, ...second.entries].map((entry) => entry["id"])).size).toBe(
      62,
    );
    expect((await server.call("GET", "/account/activity?before=x", { token })).status).toBe(400);

    await sweepAuditLog(db);
    expect((await log(token)).entries).toHaveLength(32);
  });

  it("is deleted with the account, except for an anonymous line", async () => {
    const { db } = server.context.database;
    const token = await server.signUp("forgotten@example.org");
    const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const project = await server.newProject(token);
    const remove = () => server.call("DELETE", `/projects/${project}`, { token });
    await Promise.all([remove(), remove(), remove()]);
    // Each deletion is noted once.
    const deleted = (await log(token)).entries.filter(({ what }) => what === "project_deleted");
    expect(deleted).toHaveLength(1);
    const leave = () => post("/delete-account", { password: "secret1" }, token);
    await Promise.all([leave(), leave(), leave()]);
    const rows = await db.selectFrom("audit_log").selectAll().where("user_id", "=", id).execute();
    expect(rows).toEqual([]);
    const left = await db
      .selectFrom("audit_log")
      .select(["what", "about", "address", "device"])
      .where("user_id", "is", null)
      .where(sql<boolean>`about ->> 'account' = ${id}`)
      .execute();
    expect(left).toEqual([
      { what: "account_deleted", about: { account: id }, address: null, device: null },
    ]);
  });
});

async function subscribe(token: string, plan = "Basic Tier"): Promise<string> {
  const { json } = await post("/create-checkout-session", { plan }, token);
  await sandbox.pay(json.url);
  const standing = () => server.call("GET", "/verify-subscription", { token });
  await expect.poll(async () => (await standing()).json.subscription_status).toBe("active");
  return (await standing()).json.stripe_subscription_id as string;
}

describe("leaving", () => {
  it("exports what is stored, without secrets", async () => {
    const token = await server.signUp("export@example.org");
    await subscribe(token);
    const project = await server.newProject(token, "Colon 4");
    await server.sendChunk(token, project, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"tissue_hires_scalef": 0.1}'),
    });
    const answer = await server.call("GET", "/account/export", { token });
    expect(answer.headers.get("content-disposition")).toContain("stipple-account.json");
    expect(answer.json).toMatchObject({
      account: { email: "export@example.org" },
      plan: { subscription_tier: "basic" },
      transactions: [{ plan_type: "Basic Tier", amount: 750 }],
      projects: [
        { name: "Colon 4", files: [{ slot: "scale", file_name: "scalefactors_json.json" }] },
      ],
    });
    // The log records how the person signed in, so it contains the word "password".
    const { activity, ...rest } = answer.json;
    expect(activity.map(({ what }: { what: string }) => what)).toContain("plan_bought");
    expect(JSON.stringify(rest)).not.toMatch(/password|argon2|token/);
    expect(JSON.stringify(activity)).not.toMatch(/argon2|token|secret/);
  });

  it("deletes rows and files, ends the plan, and keeps accounting records", async () => {
    const token = await server.signUp("leave@example.org");
    const subscription = await subscribe(token);
    const project = await server.newProject(token, "Gone soon");
    await server.sendChunk(token, project, "spatial_11?type=scale", {
      name: "scalefactors_json.json",
      bytes: Buffer.from('{"of": "one who leaves"}'),
    });
    const keys = await keysOf(server, project);
    expect(keys).not.toEqual([]);
    await post("/forgot-password", { email: "Leave@example.org" });
    await expect.poll(() => sandbox.outbox()).toContain("To leave@example.org");
    const wrong = await post("/delete-account", { password: "not it" }, token);
    expect([wrong.status, wrong.json.code]).toEqual([403, "password_wrong"]);

    expect((await post("/delete-account", { password: "secret1" }, token)).status).toBe(200);
    expect(await isSignedIn(token)).toBe(false);
    expect((await login("leave@example.org", "secret1")).status).toBe(401);
    expect(await remaining(server.context.storage, keys)).toEqual([]);
    const { db } = server.context.database;
    const rows = await db.selectFrom("projects").select("id").where("id", "=", project).execute();
    expect(rows).toEqual([]);
    // The provider no longer charges anyone.
    const found = await sandbox.api(`/v1/subscriptions/${subscription}`);
    expect(found.status).toBe("canceled");
    const books = await db
      .selectFrom("payments")
      .select(["user_id", "amount_cents"])
      .where("id", "=", found.latest_invoice)
      .execute();
    expect(books).toEqual([{ user_id: null, amount_cents: 75_000 }]);
    // The sandbox, which stands in for the provider and the mail server, has forgotten the address.
    const kept = await readFile(join(server.config.dataDir, "payment-sandbox.json"), "utf8");
    expect(kept).toContain(subscription);
    expect(kept).not.toContain("leave@example.org");
    // The email address can be used again.
    await server.signUp("leave@example.org");
  });

  it("succeeds together with the provider's event about the plan it ends", async () => {
    const token = await server.signUp("crossing@example.org");
    const subscription = await subscribe(token);
    const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const { database } = server.context;
    // A deletion locks the person first, then dependent rows; the webhook locks the plan first, then the person.
    const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const crossing = (mine: 0 | 1, first: "users" | "subscriptions", key: string) =>
      database.transaction(async (transaction) => {
        const lock = (table: "users" | "subscriptions", row: string) =>
          transaction
            .selectFrom(table)
            .select("id")
            .where("id", "=", row)
            .forUpdate()
            .executeTakeFirstOrThrow();
        await lock(first, key);
        both[mine].resolve();
        await both[1 - mine].promise;
        await (first === "users" ? lock("subscriptions", subscription) : lock("users", id));
        return first;
      });
    await expect(
      Promise.all([crossing(0, "users", id), crossing(1, "subscriptions", subscription)]),
    ).resolves.toEqual(["users", "subscriptions"]);
  });

  it("keeps an accounting record of a payment whose event has not arrived yet", async () => {
    const token = await server.signUp("leaves-at-once@example.org");
    const { json } = await post("/create-checkout-session", { plan: "Basic Tier" }, token);
    await sandbox.hold();
    await sandbox.pay(json.url);
    expect((await post("/delete-account", { password: "secret1" }, token)).status).toBe(200);
    await sandbox.release("oldest");
    const { invoice } = await sandbox.api(`/v1/checkout/sessions/${json.id}`);
    const books = await server.context.database.db
      .selectFrom("payments")
      .select(["user_id", "amount_cents"])
      .where("id", "=", invoice)
      .execute();
    expect(books).toEqual([{ user_id: null, amount_cents: 75_000 }]);
  });

  it("ends an analysis that was started while the provider was ending the plan", async () => {
    const token = await server.signUp("two-tabs@example.org");
    await subscribe(token);
    const project = await server.newProject(token);
    const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const { context } = server;
    const leave = async (userId: string): Promise<void> => {
      await context.billing.leave(userId);
      const row = { id: crypto.randomUUID(), project_id: project, user_id: userId };
      const run = { status: "running", start_step: 0, log: "[]", created_at: new Date() } as const;
      await context.database.db
        .insertInto("runs")
        .values({ ...row, ...run })
        .execute();
    };
    await deleteAccountOf({ ...context, billing: { ...context.billing, leave } }, id);
    expect(await isSignedIn(token)).toBe(false);
  });

  it("closes a checkout that was opened while the provider was ending the plan", async () => {
    const token = await server.signUp("opens-meanwhile@example.org");
    await subscribe(token);
    const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
    const { context } = server;
    const opened: string[] = [];
    const leave = async (userId: string): Promise<void> => {
      await context.billing.leave(userId);
      if (opened.length > 0) return;
      const { json } = await post("/create-checkout-session", { plan: "Enterprise Tier" }, token);
      opened.push(json.url as string);
    };
    await deleteAccountOf({ ...context, billing: { ...context.billing, leave } }, id);
    expect(await isSignedIn(token)).toBe(false);
    expect((await sandbox.pay(opened[0])).status).toBe(410);
  });

  it("leaves no customer at the provider for a checkout that is just being opened", async () => {
    const plan = planByTitle("Basic Tier")!;
    for (const during of ["the customer", "the checkout"]) {
      const email = `${during.replace(" ", "-")}@example.org`;
      const token = await server.signUp(email);
      const { id: userId } = (await server.call("GET", "/verify-subscription", { token })).json;
      const { billingClock: clock } = server.context;
      const services = { ...server.context, clock, provider: openProvider(server.config)! };
      const { customers, checkout } = services.provider.stripe;
      const made: object = during === "the customer" ? customers : checkout.sessions;
      const { create } = made as { create(...asked: unknown[]): Promise<unknown> };
      vi.spyOn(made as typeof customers, "create").mockImplementation((async (
        ...asked: unknown[]
      ) => {
        const answer = await create.call(made, ...asked);
        expect((await post("/delete-account", { password: "secret1" }, token)).status).toBe(200);
        return answer;
      }) as typeof customers.create);
      const opening = customerOf(services, userId).then((customer) =>
        openCheckout(services, server.url, { userId, customer, plan }),
      );
      await expect(opening).rejects.toMatchObject({ code: "23503" });
      const kept = await readFile(join(server.config.dataDir, "payment-sandbox.json"), "utf8");
      const { customers: left } = JSON.parse(kept) as { customers: Record<string, object> };
      expect(Object.values(left)).not.toContainEqual(expect.objectContaining({ email }));
    }
  });

  it("waits for a running analysis, and for the provider", async () => {
    const token = await server.signUp("busy@example.org");
    await subscribe(token);
    const project = await server.newProject(token);
    const { db } = server.context.database;
    const { id } = (await server.call("GET", "/verify-subscription", { token })).json;
    await db
      .insertInto("runs")
      .values({
        id: crypto.randomUUID(),
        project_id: project,
        user_id: id,
        status: "running",
        start_step: 0,
        log: "[]",
        created_at: new Date(),
      })
      .execute();
    const busy = await post("/delete-account", { password: "secret1" }, token);
    expect([busy.status, busy.json.code]).toEqual([409, "project_busy"]);
    await db.deleteFrom("runs").where("project_id", "=", project).execute();

    await sandbox.stop();
    const refused = await post("/delete-account", { password: "secret1" }, token);
    expect([refused.status, refused.json.code]).toEqual([502, "payment_provider_failed"]);
    expect(await isSignedIn(token)).toBe(true);
    await sandbox.start(server.url, server.config.dataDir);
    expect((await post("/delete-account", { password: "secret1" }, token)).status).toBe(200);
  });
});
