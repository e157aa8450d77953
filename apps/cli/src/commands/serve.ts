import type { Command } from "commander";

export function addServe(program: Command): void {
  program
    .command("serve")
    .description("start the platform: web pages, API, worker and database")
    .action(async () => {
      const { serve } = await import("../serve/serve.ts");
      await serve();
    });
}
