import { join } from "node:path";
import { defaultExclude, defineConfig } from "vitest/config";
import JourneysInOrder from "./scripts/journeys-in-order.ts";

/** Tests that leave their process as they found it: no servers, no modules replaced. */
const UNITS = ["apps/web", "packages/*/src"].map(
  // more-plans replaces a module before anything imports it.
  (folder) => `${folder}/**/!(more-plans).test.ts`,
);

/** Tests beside the sources of programs, and of the repository, and those that replace modules. */
const PROGRAMS = [
  "apps/{cli,payment-sandbox,server}/src/**/*.test.ts",
  "apps/**/more-plans.test.ts",
  "scripts/**/*.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", "./scripts/report-skipped-tests.ts"],
    // A machine that is busy with other work may be several times as slow: these stop what hangs, and nothing else.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 90_000 } },
    sequence: { sequencer: JourneysInOrder },
    // Platforms and their processes start from code that is compiled already, as after `npm start`.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/stipple-compiled") },
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: UNITS,
          // Files share a process and what they import, which saves starting and compiling the same code 170 times.
          isolate: false,
          // Three files at a time on two cores, here and below, because many wait for a third of their time.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "programs",
          include: PROGRAMS,
          globalSetup: "apps/server/test/prepared-folder.ts",
          // Each file has a process of its own.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "parts",
          include: ["{apps,packages}/**/*.test.ts"],
          exclude: [...defaultExclude, ...UNITS, ...PROGRAMS],
          globalSetup: "apps/server/test/prepared-folder.ts",
          // Files share a process here, too, but each has a server and a database of its own.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "journeys",
          include: ["e2e/**/*.test.ts"],
          // One platform for all of them, started by the first that asks.
          globalSetup: ["apps/server/test/prepared-folder.ts", "e2e/journeys-setup.ts"],
          isolate: false,
          // After the rest, because a platform and a browser need both cores. Only upload-journey starts runs, which all
          // would wait for.
          maxWorkers: 3,
          maxConcurrency: 2,
          setupFiles: ["e2e/end-at-first-failure.ts"],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
