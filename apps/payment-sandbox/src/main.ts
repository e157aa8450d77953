import { buildSandbox } from "./app.ts";
import { readSettings } from "./settings.ts";

// The state contains emails that give access to accounts.
process.umask(0o077);

try {
  const settings = readSettings(process.env);
  const app = buildSandbox(settings);
  await app.listen({ port: settings.port, host: "localhost" });
  console.log(`The payment sandbox listens at ${settings.publicUrl}`);
  const end = (): void => void app.close().then(() => process.exit(0));
  process.once("SIGTERM", end);
  process.once("SIGINT", end);
  // If started with a channel to a parent, the sandbox exits with it.
  process.once("disconnect", end);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
