import { defineConfig } from "vitest/config";

/** The laboratory's own tests: `npm run check:lab`. Long ones run with LONG_TESTS=1. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    globalSetup: "../apps/server/test/prepared-folder.ts",
    maxWorkers: 2,
  },
});
