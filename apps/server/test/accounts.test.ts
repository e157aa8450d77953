import { decodeJwt, SignJWT } from "jose";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticate, createAccount } from "../src/accounts/accounts.ts";
import { beginSecondStep, takeCode } from "../src/accounts/second-step.ts";
import { openSecretBox } from "../src/accounts/secret-box.ts";
import { issueSession } from "../src/accounts/sessions.ts";
import { startTestServer, type TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const register = (email: string, password: string, confirmPassword = password) =>
  server.call("POST", "/register", { body: { email, password, confirmPassword } });
const login = (email: string, password: string) =>
  server.call("POST", "/login", { body: { email, password } });

describe("registration", () => {
  it.each([
    [{}, "All fields are required"],
    [{ email: "a@b.co", password: "", confirmPassword: "" }, "All fields are required"],
    [
      { email: "nobody", password: "x", confirmPassword: "y" },
      "Please enter a valid email address.",
    ],
    [
      { email: "a b@c.de", password: "secret1", confirmPassword: "secret1" },
      "Please enter a valid email address.",
    ],
    [
      { email: "a\0@b.co", password: "secret1", confirmPassword: "secret1" },
      "This email address contains an invisible character. Please type it instead of pasting it.",
    ],
    [
      { email: "a@b.co", password: "five5", confirmPassword: "other" },
      "Password must be at least 6 characters long.",
    ],
    [
      { email: "a@b.co", password: "secret1", confirmPassword: "secret2" },
      "Passwords do not match.",
    ],
  ])("refuses %j with the specified sentence", async (body, sentence) => {
    const answer = await server.call("POST", "/register", { body });
    expect(answer.status).toBe(400);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(answer.json.error).toBe(sentence);
  });

  it("accepts six characters and compares emails case-insensitively", async () => {
    expect((await register("Ada@Example.org", "secret")).status).toBe(201);
    const again = await register("ada@example.ORG", "secret");
    expect([again.status, again.json.code]).toEqual([409, "email_taken"]);
    expect((await login("ADA@example.org", "secret")).status).toBe(200);
  });

  it("takes addresses that look the same for the same, and lets earlier accounts in as they were", async () => {
    expect((await register("eve@example.org", "secret")).status).toBe(201);
    const fullWidth = await register("ｅｖｅ@ｅｘａｍｐｌｅ．ｏｒｇ", "secret");
    expect([fullWidth.status, fullWidth.json.code]).toEqual([409, "email_taken"]);
    expect((await register("e\u200bve@example.org", "secret")).json.code).toBe("email_invalid");
    expect((await login("Ｅve@example.org", "secret")).json.token).toBeTypeOf("string");
    expect((await login("e\u200bve@example.org", "secret")).status).toBe(401);

    const early = "ｅarly\u200b@example.org";
    const { id } = await createAccount(server.context, {
      email: "temporary@example.org",
      password: "early1",
      confirmPassword: "early1",
    });
    const { db } = server.context.database;
    await db.updateTable("users").set({ email: early }).where("id", "=", id).execute();
    expect((await login(early, "early1")).json.token).toBeTypeOf("string");
    expect((await login("early@example.org", "early1")).status).toBe(401);
  });

  it("accepts a password of up to 1,024 characters exactly as typed", async () => {
    const long = ` Pass wörd ${"x".repeat(60)} `;
    expect((await register("typed@example.org", long)).status).toBe(201);
    for (const other of [long.trim(), long.toLowerCase(), long.slice(0, 64)]) {
      expect((await login("typed@example.org", other)).status).toBe(401);
    }
    expect((await login("typed@example.org", long)).status).toBe(200);
    expect((await register("longest@example.org", "x".repeat(1024))).status).toBe(201);
    expect((await register("longer@example.org", "x".repeat(1025))).status).toBe(400);
  });

  it("lets only one of many simultaneous sign-ups with the same email succeed", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => register("race@example.org", "secret1")),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe("sessions", () => {
  it("issues a token whose payload contains email and user id", async () => {
    await register("token@example.org", "secret1");
    const { json } = await login("token@example.org", "secret1");
    const payload = decodeJwt(json.token);
    expect(payload).toMatchObject({ email: "token@example.org", sub: json.userId });
    expect(json.sub).toBe(json.userId);
  });

  it("gives the same answer for an unknown email and a wrong password", async () => {
    await register("known@example.org", "secret1");
    const wrong = await login("known@example.org", "secret2");
    const unknown = await login("unknown@example.org", "secret2");
    expect(wrong.status).toBe(401);
    expect([wrong.status, wrong.json]).toEqual([unknown.status, unknown.json]);
  });

  it("ends immediately on logout", async () => {
    const token = await server.signUp();
    expect((await server.call("GET", "/projects", { token })).status).toBe(200);
    expect((await server.call("POST", "/logout", { token })).status).toBe(200);
    const after = await server.call("GET", "/projects", { token });
    expect([after.status, after.json.code]).toEqual([401, "session_expired"]);
  });

  it("refuses missing, forged, and unsigned tokens, and tokens for another purpose", async () => {
    const token = await server.signUp();
    const { sub, jti } = decodeJwt(token);
    const sign = (key: Uint8Array, audience: string) =>
      new SignJWT({ email: "x@y.zz" })
        .setProtectedHeader({ alg: "HS256" })
        .setSubject(sub ?? "")
        .setJti(jti ?? "")
        .setAudience(audience)
        .setExpirationTime("1h")
        .sign(key);
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${encode({ alg: "none" })}.${encode({ sub, jti, aud: "session" })}.`;
    for (const bad of [
      await sign(new Uint8Array(32), "session"),
      await sign(server.config.jwtSecret, "visualization"),
      unsigned,
      "nonsense",
    ]) {
      expect((await server.call("GET", "/projects", { token: bad })).status).toBe(401);
    }
    expect((await server.call("GET", "/projects")).json.code).toBe("unauthenticated");
  });

  it("expires after the configured days", async () => {
    const token = await server.signUp();
    server.clock.advance(8 * 86_400_000);
    try {
      expect((await server.call("GET", "/projects", { token })).status).toBe(401);
    } finally {
      server.clock.advance(-8 * 86_400_000);
    }
  });
});

describe("the list of sessions", () => {
  const agent = (name: string) => ({
    "user-agent": `Mozilla/5.0 (X11; Linux x86_64) ${name}/128.0`,
  });
  const signIn = async (email: string, name: string) =>
    (
      await server.call("POST", "/login", {
        body: { email, password: "secret1" },
        headers: agent(name),
      })
    ).json.token as string;
  const list = async (token: string) =>
    (await server.call("GET", "/account/sessions", { token })).json as Record<string, string>[];

  it("shows where the user is signed in, and ends one or all other sessions immediately", async () => {
    const email = "sessions@example.org";
    await register(email, "secret1");
    const [here, there, elsewhere] = [
      await signIn(email, "Firefox"),
      await signIn(email, "Chrome"),
      await signIn(email, "Opera"),
    ];
    const shown = await list(here);
    expect(shown.map(({ device }) => device).sort()).toEqual([
      "Chrome on Linux",
      "Firefox on Linux",
      "Opera on Linux",
    ]);
    expect(shown.filter(({ current }) => current).map(({ device }) => device)).toEqual([
      "Firefox on Linux",
    ]);
    expect(shown[0]).toMatchObject({ address: "127.0.0.1" });
    const chrome = shown.find(({ device }) => device === "Chrome on Linux")?.["id"];

    const end = (token: string, id = chrome) =>
      server.call("DELETE", `/account/sessions/${id}`, { token });
    expect((await end(await server.signUp())).status).toBe(404);
    expect((await end(here)).status).toBe(200);
    expect((await server.call("GET", "/projects", { token: there })).status).toBe(401);
    expect((await end(here)).status).toBe(404);
    expect((await server.call("GET", "/projects", { token: elsewhere })).status).toBe(200);

    await server.call("POST", "/account/end-other-sessions", { token: here });
    expect((await server.call("GET", "/projects", { token: elsewhere })).status).toBe(401);
    expect(await list(here)).toHaveLength(1);
    const { entries } = (await server.call("GET", "/account/activity", { token: here })).json;
    expect(entries.slice(0, 2)).toMatchObject([
      { what: "other_sessions_ended" },
      { what: "session_ended", about: { device: "Chrome on Linux" } },
    ]);
  });

  it("records when a session was last used, at most every five minutes", async () => {
    const token = await server.signUp();
    const seen = async () => (await list(token))[0]?.["last_seen_at"];
    const first = await seen();
    server.clock.advance(4 * 60_000);
    const soon = await seen();
    server.clock.advance(2 * 60_000);
    const later = await seen();
    server.clock.advance(-6 * 60_000);
    expect(soon).toBe(first);
    expect(Date.parse(later ?? "") - Date.parse(first ?? "")).toBeGreaterThanOrEqual(360_000);
  });
});

describe("a second step", () => {
  const post = (path: string, body: unknown, token?: string) =>
    server.call("POST", path, { body, ...(token ? { token } : {}) });
  const codeOf = (secret: string, aheadMs = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: server.clock.now().getTime() + aheadMs,
    });
  const code = (ticket: string, given: string) => post("/login/code", { ticket, code: given });

  /** An account with an authenticator app: its secret, the code that enabled it, and recovery codes. */
  async function withApp(email: string) {
    const token = await server.signUp(email);
    const started = (await post("/account/totp", { password: "secret1" }, token)).json;
    const used = codeOf(started.secret);
    const done = await post("/account/totp/confirm", { ticket: started.ticket, code: used }, token);
    return {
      used,
      token,
      secret: started.secret as string,
      recovery: done.json.recovery_codes as string[],
    };
  }

  it("is required once an app is set up, which takes the password and a code from it", async () => {
    const email = "app@example.org";
    const token = await server.signUp(email);
    const wrong = await post("/account/totp", { password: "wrong" }, token);
    expect([wrong.status, wrong.json.code]).toEqual([403, "password_wrong"]);
    const started = (await post("/account/totp", { password: "secret1" }, token)).json;
    expect(started.uri).toMatch(/^otpauth:\/\/totp\/Stipple:app%40example.org\?/);
    const confirm = (given: string, as = token) =>
      post("/account/totp/confirm", { ticket: started.ticket, code: given }, as);
    expect((await confirm("000000")).json.code).toBe("code_wrong");
    const stranger = await server.signUp();
    expect((await confirm(codeOf(started.secret), stranger)).json.code).toBe("sign_in_step_over");
    // No code is required until the app is confirmed to work.
    expect((await login(email, "secret1")).status).toBe(200);
    const done = await confirm(codeOf(started.secret));
    expect(done.json.recovery_codes).toHaveLength(10);

    const first = await login(email, "secret1");
    expect(first.status).toBe(202);
    expect(first.json).toEqual({
      ticket: expect.any(String) as string,
      totp: true,
      passkeys: false,
      message: expect.any(String) as string,
    });
    expect(first.headers.get("set-cookie")).toBeNull();
    // The ticket is not a session.
    expect((await server.call("GET", "/projects", { token: first.json.ticket })).status).toBe(401);
    server.clock.advance(60_000);
    const second = await code(first.json.ticket, codeOf(started.secret));
    expect(second.status).toBe(200);
    expect((await server.call("GET", "/projects", { token: second.json.token })).status).toBe(200);
    server.clock.advance(-60_000);
  });

  it("accepts a code once, even from two concurrent calls, and no older one", async () => {
    const email = "replay@example.org";
    const { secret, used } = await withApp(email);
    const tickets = [];
    for (let i = 0; i < 4; i++) {
      tickets.push((await login(email, "secret1")).json.ticket as string);
    }
    const [a = "", b = "", c = "", d = ""] = tickets;
    // The code that enabled the app has been used up.
    expect((await code(a, used)).json.code).toBe("code_wrong");
    const next = codeOf(secret, 30_000);
    const both = await Promise.all([code(a, next), code(b, next)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await code(c, next)).json.code).toBe("code_wrong");
    // A code for another time, and an expired ticket.
    expect((await code(c, codeOf(secret, 120_000))).json.code).toBe("code_wrong");
    server.clock.advance(11 * 60_000);
    const late = await code(d, codeOf(secret));
    server.clock.advance(-11 * 60_000);
    expect([late.status, late.json.code]).toEqual([400, "sign_in_step_over"]);
  });

  it("accepts each recovery code once; new ones invalidate the old", async () => {
    const email = "recover@example.org";
    const { token, recovery } = await withApp(email);
    const ticket = async () => (await login(email, "secret1")).json.ticket as string;
    const typed = recovery[0]?.toUpperCase().replace("-", " ") ?? "";
    expect((await code(await ticket(), typed)).status).toBe(200);
    expect((await code(await ticket(), typed)).json.code).toBe("code_wrong");
    const left = async () =>
      (await server.call("GET", "/account/security", { token })).json.recovery_codes_left as number;
    expect(await left()).toBe(9);
    const renewed = await post("/account/recovery-codes", { password: "secret1" }, token);
    expect(renewed.json.recovery_codes).toHaveLength(10);
    expect((await code(await ticket(), recovery[1] ?? "")).json.code).toBe("code_wrong");
    expect(await left()).toBe(10);
  });

  it("limits wrong codes", async () => {
    const email = "codes@example.org";
    await withApp(email);
    const { ticket } = (await login(email, "secret1")).json;
    const answers = [];
    for (let i = 0; i < 12; i++) answers.push((await code(ticket as string, "abcde-fghjk")).status);
    expect(answers).toEqual([...Array<number>(10).fill(403), 429, 429]);
  });

  it("ends when removed, and a new password aborts a pending sign-in", async () => {
    const email = "removed@example.org";
    const { token } = await withApp(email);
    expect((await post("/account/totp/remove", { password: "wrong" }, token)).status).toBe(403);
    const { ticket } = (await login(email, "secret1")).json;
    await post(
      "/change-password",
      { current_password: "secret1", password: "secret2", confirmPassword: "secret2" },
      token,
    );
    expect((await code(ticket as string, "000000")).json.code).toBe("sign_in_step_over");
    expect((await post("/account/totp/remove", { password: "secret2" }, token)).status).toBe(200);
    expect((await login(email, "secret2")).status).toBe(200);
    const security = (await server.call("GET", "/account/security", { token })).json;
    expect(security).toMatchObject({ totp_since: null, recovery_codes_left: 0 });
    const { entries } = (await server.call("GET", "/account/activity", { token })).json;
    expect(entries.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(["totp_added", "totp_removed", "password_refused"]),
    );
  });

  it.each(["before its second step begins", "after its second step was passed"])(
    "a sign-in with the old password fails when that is replaced %s",
    async (when) => {
      const email = `${when.split(" ")[0]}@example.org`;
      const { token, recovery } = await withApp(email);
      const nowhere = () => Promise.resolve(null);
      const wanted = { email, password: "secret1" };
      const right = await authenticate(server.context, wanted, { address: "", deviceOf: nowhere });
      const replace = () =>
        post(
          "/change-password",
          { current_password: "secret1", password: "secret2", confirmPassword: "secret2" },
          token,
        );
      const pass = (ticket: string) =>
        takeCode(server.context, { ticket, code: recovery[0] ?? "" }, nowhere);
      if (when.startsWith("before")) await replace();
      const { user, means } = await pass(await beginSecondStep(server.context, right));
      if (when.startsWith("after")) await replace();
      await expect(issueSession(server.context, user, means)).rejects.toMatchObject({
        code: "credentials_wrong",
      });
    },
  );

  it("stores no secret usable without the operator's", async () => {
    const { secret, recovery } = await withApp("sealed@example.org");
    const { db } = server.context.database;
    const apps = await db.selectFrom("authenticator_apps").select(["user_id", "secret"]).execute();
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
    expect(apps.length).toBeGreaterThan(0);
    for (const app of apps) expect(app.secret.includes(bytes)).toBe(false);
    const other = openSecretBox(new TextEncoder().encode("another operator's secret"));
    const mine = openSecretBox(server.config.jwtSecret);
    const [app] = apps;
    expect(() => other.open(app?.secret ?? Buffer.alloc(0), app?.user_id ?? "")).toThrow();
    expect(() => mine.open(app?.secret ?? Buffer.alloc(0), "somebody else")).toThrow();
    expect(mine.open(app?.secret ?? Buffer.alloc(0), app?.user_id ?? "")).toHaveLength(20);
    const codes = await db.selectFrom("recovery_codes").select("code_hash").execute();
    const stored = JSON.stringify(codes);
    for (const each of recovery) expect(stored).not.toContain(each.replace("-", ""));
  });
});

it("verify-subscription describes a new account's trial", async () => {
  const token = await server.signUp("trial@example.org");
  const { status, json } = await server.call("GET", "/verify-subscription", { token });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    email: "trial@example.org",
    analyses_count: 0,
    analyses_limit: 1,
    total_spots: 0,
    is_one_time: false,
    single_analyses_purchased: 0,
    subscription_status: "trial",
    subscription_tier: "trial",
    stripe_subscription_id: null,
  });
  const days = (Date.parse(json.subscription_end_date) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(3.9);
  expect(days).toBeLessThanOrEqual(4);
});

it("limits sign-ups per minute and IP address, and says when to try again", async () => {
  await using strict = await startTestServer({ STIPPLE_SIGNUPS_PER_MINUTE: "3" });
  const statuses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const answer = await strict.call("POST", "/register", {
      body: { email: `p${i}@example.org`, password: "secret1", confirmPassword: "secret1" },
    });
    statuses.push(answer.status);
    if (answer.status === 429) {
      expect(answer.json.code).toBe("rate_limited");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  }
  expect(statuses).toEqual([201, 201, 201, 429]);
});

it("keeps a thousand gene lists, even with concurrent requests; another of the same name replaces one", async () => {
  const token = await server.signUp();
  const { id: user_id } = (await server.call("GET", "/verify-subscription", { token })).json;
  const row = { user_id, genes: JSON.stringify(["Gad1"]), kept_at: new Date() };
  const rows = Array.from({ length: 998 }, (_, i) => ({ name: `List ${i}`, ...row }));
  await server.context.database.db.insertInto("gene_lists").values(rows).execute();
  const keep = async (name: string) =>
    (await server.call("POST", "/gene_lists", { token, body: { name, genes: ["Gad2"] } })).json;
  const answers = await Promise.all(["A", "B", "C", "D", "E"].map(keep));
  const codes = answers.map(({ code }) => code).filter(Boolean);
  expect(codes).toEqual(Array(3).fill("limit_reached"));
  expect(await keep("List 0")).toEqual({ message: "List 0 is kept in your account." });
});
