import { prepareSandbox, type TestSandbox } from "./payment-sandbox.ts";
import { startTestServer, type TestServer } from "./server.ts";

/** A server and the payment sandbox it uses; the sandbox's outbox also receives the server's emails. */
export interface ServerWithSandbox extends AsyncDisposable {
  server: TestServer;
  sandbox: TestSandbox;
}

export async function startServerWithSandbox(
  overrides: NodeJS.ProcessEnv = {},
): Promise<ServerWithSandbox> {
  const sandbox = await prepareSandbox();
  const server = await startTestServer({ ...sandbox.environment, ...overrides });
  await sandbox.start(server.url, server.config.dataDir);
  return {
    server,
    sandbox,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
