import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
      "Please enter a valid email address.",
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

  it("takes six characters and compares e-mails without regard to case", async () => {
    expect((await register("Ada@Example.org", "secret")).status).toBe(201);
    const again = await register("ada@example.ORG", "secret");
    expect([again.status, again.json.code]).toEqual([409, "email_taken"]);
    expect((await login("ADA@example.org", "secret")).status).toBe(200);
  });

  it("lets one of many simultaneous sign-ups with one e-mail through", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => register("race@example.org", "secret1")),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});

describe("sessions", () => {
  it("issues a token whose payload holds e-mail and user id", async () => {
    await register("token@example.org", "secret1");
    const { json } = await login("token@example.org", "secret1");
    const payload = decodeJwt(json.token);
    expect(payload).toMatchObject({ email: "token@example.org", sub: json.userId });
    expect(json.sub).toBe(json.userId);
  });

  it("answers an unknown e-mail and a wrong password alike", async () => {
    await register("known@example.org", "secret1");
    const wrong = await login("known@example.org", "secret2");
    const unknown = await login("unknown@example.org", "secret2");
    expect(wrong.status).toBe(401);
    expect([wrong.status, wrong.json]).toEqual([unknown.status, unknown.json]);
  });

  it("ends with logout, at once", async () => {
    const token = await server.signUp();
    expect((await server.call("GET", "/projects", { token })).status).toBe(200);
    expect((await server.call("POST", "/logout", { token })).status).toBe(200);
    const after = await server.call("GET", "/projects", { token });
    expect([after.status, after.json.code]).toEqual([401, "session_expired"]);
  });

  it("refuses no token, forged ones, unsigned ones and ones for another purpose", async () => {
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

  it("expires after its days", async () => {
    const token = await server.signUp();
    server.clock.advance(8 * 86_400_000);
    try {
      expect((await server.call("GET", "/projects", { token })).status).toBe(401);
    } finally {
      server.clock.advance(-8 * 86_400_000);
    }
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

it("limits sign-ups a minute and address, and says when to try again", async () => {
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
