import { setTimeout as sleep } from "node:timers/promises";

// Responses have many shapes; callers pick out what they use.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

/** One API call; throws with the server's message if refused. */
export async function call(
  url: string,
  method: string,
  path: string,
  options: { token?: string; body?: unknown } = {},
): Promise<Json> {
  const answer = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const json: Json = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${json.error}`);
  return json;
}

/** Registers and logs in; returns the token. */
export async function newAccount(url: string, email: string): Promise<string> {
  const password = "Correct-horse-9!";
  await call(url, "POST", "/register", { body: { email, password, confirmPassword: password } });
  return (await call(url, "POST", "/login", { body: { email, password } })).token;
}

/** Buys a plan, by its card title, with the sandbox's card that works. */
export async function buyPlan(url: string, token: string, plan: string): Promise<void> {
  const body = { plan };
  const checkout = await call(url, "POST", "/create-checkout-session", { token, body });
  await fetch(checkout.url, {
    method: "POST",
    body: new URLSearchParams({ card: "4242424242424242" }),
    redirect: "manual",
  });
  while ((await call(url, "GET", "/verify-subscription", { token })).subscription_tier === "trial")
    await sleep(100);
}

/** Creates the sample project, runs it to completion, and returns its id. */
export async function runSample(url: string, token: string): Promise<string> {
  const { project_id } = await call(url, "POST", "/create_sample_project", { token });
  await call(url, "POST", "/run_workflow", { token, body: { project_id, start_step: 0 } });
  await whenCompleted(url, token, project_id);
  return project_id;
}

/** Less than any hook may take, so that the test says what it waited for. */
const RUN_WITHIN_MS = 540_000;

/** Waits until a project's run ends; throws if it ends otherwise than completed, or not within nine minutes. */
export async function whenCompleted(url: string, token: string, projectId: string): Promise<void> {
  const until = performance.now() + RUN_WITHIN_MS;
  for (;;) {
    const { status, error, ...rest } = await call(url, "GET", `/status?project_id=${projectId}`, {
      token,
    });
    if (status === "completed") return;
    if (["failed", "cancelled"].includes(status)) throw new Error(`${status}: ${error}`);
    if (performance.now() > until)
      throw new Error(`The run has not ended in nine minutes: ${status}, ${JSON.stringify(rest)}`);
    await sleep(500);
  }
}
