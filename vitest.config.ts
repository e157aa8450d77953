import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/**/*.test.ts",
      "apps/**/*.test.ts",
      "e2e/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // What other processes bring about may take a while on a busy machine.
    expect: { poll: { timeout: 15_000 } },
  },
});
