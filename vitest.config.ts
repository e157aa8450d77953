import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // What other processes bring about may take a while on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          include: ["packages/**/*.test.ts", "apps/**/*.test.ts", "scripts/**/*.test.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["e2e/**/*.test.ts"],
          // One platform for all of them, started by the first that asks.
          globalSetup: "e2e/journeys-setup.ts",
          // A platform and a browser need both cores: one at a time, after the rest.
          maxWorkers: 1,
          maxConcurrency: 2,
          // A browser beside other work now and then loses a key or a call. The report names what was tried twice.
          retry: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
