import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { laterPort } from "./later-port.ts";

const ENTRY = fileURLToPath(new URL("../../payment-sandbox/src/main.ts", import.meta.url));

/** The payment sandbox as a separate process, reached over HTTP. */
export interface TestSandbox extends AsyncDisposable {
  /** Environment variables the server needs to use it. */
  environment: NodeJS.ProcessEnv;
  start(serverUrl: string, dataDir: string): Promise<void>;
  stop(): Promise<void>;
  /** Pays a hosted checkout as a browser would. */
  pay(checkoutUrl: string, card?: string): Promise<Response>;
  forward(days: number): Promise<void>;
  /** The operator's confirmation that the shifted clock may delete projects. */
  confirmDeletions(): Promise<void>;
  /** The outbox page, opened as the operator. */
  outbox(): Promise<string>;
  sendTwice(): Promise<void>;
  /** Records events without delivering them until they are released. */
  hold(): Promise<void>;
  release(order: "oldest" | "newest"): Promise<void>;
  /** Number of events the webhook has not accepted yet. */
  undelivered(): Promise<number>;
  /** Calls the provider's API. */
  // Tests read objects of any shape and assert what they expect.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  api(path: string): Promise<any>;
}

const OPERATOR_SECRET = "the operator of the tests";
const secret = { STRIPE_SECRET_KEY: "sk_test_sandbox", STRIPE_WEBHOOK_SECRET: "whsec_sandbox" };

export async function prepareSandbox(): Promise<TestSandbox> {
  const port = await laterPort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | undefined;
  const form = (path: string, fields: Record<string, string>): Promise<Response> =>
    fetch(new URL(path, url), {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
  const api: TestSandbox["api"] = async (path) => {
    const headers = { authorization: `Bearer ${secret.STRIPE_SECRET_KEY}` };
    return (await fetch(new URL(path, url), { headers })).json();
  };
  const stop = async (): Promise<void> => {
    if (!child) return;
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    child = undefined;
  };
  return {
    environment: { ...secret, STIPPLE_PAYMENT_SANDBOX_URL: url },
    async start(serverUrl, dataDir) {
      child = spawn(process.execPath, [ENTRY], {
        env: {
          ...process.env,
          ...secret,
          NODE_ENV: "test",
          PORT: `${port}`,
          STIPPLE_PAYMENT_SANDBOX_URL: url,
          STIPPLE_WEBHOOK_URL: `${serverUrl}/api/stripe-webhook`,
          STIPPLE_DATA_DIR: dataDir,
          STIPPLE_OPERATOR_SECRET: OPERATOR_SECRET,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const started = child;
      await new Promise((resolve, reject) => {
        started.stdout?.once("data", resolve);
        started.once("exit", (code) =>
          reject(new Error(`The payment sandbox ended with ${code} before it listened.`)),
        );
      });
    },
    stop,
    pay: (checkoutUrl, card = "4242424242424242") => form(checkoutUrl, { card }),
    async forward(days) {
      await form("/clock", { days: `${days}` });
    },
    async confirmDeletions() {
      await form("/deletions", { secret: OPERATOR_SECRET });
    },
    async outbox() {
      const query = new URLSearchParams({ secret: OPERATOR_SECRET }).toString();
      return (await fetch(new URL(`/outbox?${query}`, url))).text();
    },
    async sendTwice() {
      await form("/delivery", { twice: "true" });
    },
    async hold() {
      await form("/delivery", { hold: "true" });
    },
    async release(order) {
      await form("/delivery", { release: order });
    },
    async undelivered() {
      const { data } = await api("/v1/events?delivery_success=false&limit=100");
      return data.length;
    },
    api,
    [Symbol.asyncDispose]: stop,
  };
}
