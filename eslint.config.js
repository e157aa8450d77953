import { readdirSync } from "node:fs";
import js from "@eslint/js";
import globals from "globals";
import ts from "typescript-eslint";
import folderOrder from "./eslint-folder-order.js";

/** Which parts of a folder may import which: see eslint-folder-order.js. */
const inOrder = (files, ...folders) => ({
  files: [`${files}/**/*.{ts,tsx}`],
  ignores: ["**/*.test.ts", "**/*.test.tsx", "**/testing/**"],
  plugins: { stipple: folderOrder },
  rules: { "stipple/folder-order": ["error", ...folders] },
});

/** What each part may not import: the arrows point one way (ARCHITECTURE.md, "Imports"). */
const forbidden = (...patterns) => ({
  "no-restricted-imports": [
    "error",
    {
      // One group, so that patterns that begin with ! make exceptions.
      patterns: [
        { group: patterns, message: "Against the direction of imports; see ARCHITECTURE.md." },
      ],
    },
  ],
});

/** What no product code may do, also not by import(). */
const notDone = {
  files: ["apps/*/src/**", "packages/*/src/**"],
  ignores: ["packages/formats/src/hdf5/library.ts", "**/*.test.ts", "**/testing/**"],
  rules: {
    "no-restricted-syntax": [
      "error",
      ...["ImportDeclaration", "ImportExpression", "ExportNamedDeclaration"].map((node) => ({
        selector: `${node}[source.value=/^h5wasm/]`,
        message:
          "h5wasm returns unfilled memory where HDF5 fails: import @stipple/formats/hdf5/library instead.",
      })),
      ...["ImportDeclaration", "ImportExpression", "ExportNamedDeclaration"].map((node) => ({
        selector: `${node}[source.value=/^@stipple\\/pipeline\\/internal/]`,
        message:
          "Only lab/ and tests look inside the pipeline: packages/pipeline/package.json lists its entries.",
      })),
    ],
  },
};

export default ts.config(
  {
    ignores: [
      "packages/pipeline/test/ninth-step/**",
      "**/dist/**",
      "**/node_modules/**",
      // AssemblyScript, whose types are not those of TypeScript.
      "packages/pipeline/assembly/**",
      ".stipple/**",
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
      globals: { ...globals.node },
    },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      // What a function holds with `using`, or undoes in `finally`, would go before the returned promise has ended.
      "@typescript-eslint/return-await": ["error", "error-handling-correctness-only"],
      "@typescript-eslint/no-misused-promises": [
        "error",
        { checksVoidReturn: { attributes: false } },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      eqeqeq: ["error", "smart"],
    },
  },
  { files: ["**/*.js"], languageOptions: { globals: { ...globals.node } } },
  {
    // Read by whatever Node there is, so that an old one can say that it is too old.
    files: ["**/*.cjs"],
    languageOptions: { ecmaVersion: 5, sourceType: "script", globals: { ...globals.node } },
    rules: {
      "@typescript-eslint/no-require-imports": "off",
      // ES5 has no catch without a name.
      "@typescript-eslint/no-unused-vars": ["error", { caughtErrors: "none" }],
    },
  },
  // import() is read by Node 10 already.
  { files: ["apps/cli/bin/stipple.cjs"], languageOptions: { ecmaVersion: 2020 } },
  {
    files: ["packages/contract/**"],
    rules: forbidden("node:*", "@stipple/*", "!@stipple/contract"),
  },
  {
    // Knows neither the product nor a file format.
    files: ["packages/numerics/**"],
    rules: forbidden("@stipple/*", "!@stipple/numerics", "!@stipple/tasks"),
  },
  { files: ["packages/tasks/**"], rules: forbidden("@stipple/*", "!@stipple/tasks") },
  {
    files: ["packages/formats/**"],
    rules: forbidden("@stipple/*", "!@stipple/formats", "!@stipple/numerics", "!@stipple/tasks"),
  },
  {
    files: ["packages/pipeline/**"],
    rules: forbidden("@stipple/server*", "@stipple/tissue*", "@stipple/web*", "stipple"),
  },
  {
    // What steps share knows no step; a step gets from another only what its fields hold.
    files: [
      "packages/pipeline/src/{engine,exports,figures,markers,model,nuclei,optics,readers,species,store,types}/**",
      "packages/pipeline/src/{run,step,settings,fields,views,facts}.ts",
    ],
    ignores: ["**/testing/**", "**/*.test.ts"],
    rules: forbidden(
      "@stipple/server*",
      "@stipple/tissue*",
      "@stipple/web*",
      "stipple",
      "**/steps/**",
      "**/self-test/**",
    ),
  },
  {
    files: ["packages/pipeline/src/steps/**"],
    ignores: ["**/*.test.ts"],
    rules: forbidden(
      "@stipple/server*",
      "@stipple/tissue*",
      "@stipple/web*",
      "stipple",
      "../[0-9]-*/**",
      "../../[0-9]-*/**",
      "../../../[0-9]-*/**",
    ),
  },
  {
    files: ["packages/tissue/**"],
    rules: forbidden("@stipple/server*", "@stipple/web*", "stipple"),
  },
  {
    // The view knows data and drawing, not the application: it gets a source and callbacks.
    files: ["packages/viewer/**"],
    rules: forbidden(
      "node:*",
      "@stipple/contract/routes/**",
      "@stipple/pipeline*",
      "@stipple/tissue*",
      "@stipple/server*",
      "@stipple/web*",
      "react*",
      "@tanstack/*",
      "zustand*",
      "wouter*",
      "**/apps/**",
    ),
  },
  { files: ["packages/viewer/vite/**"], rules: { "no-restricted-imports": "off" } },
  {
    files: ["apps/server/**"],
    rules: forbidden("@stipple/web*", "@stipple/payment-sandbox*", "stipple"),
  },
  {
    files: ["apps/web/src/**"],
    rules: forbidden(
      "node:*",
      "@stipple/pipeline*",
      "@stipple/tissue*",
      "@stipple/server*",
      "@stipple/payment-sandbox*",
      // Only what needs no threads and no other program.
      "@stipple/numerics/**",
      "!@stipple/numerics/false-discovery",
      "!@stipple/numerics/quantile",
      "!@stipple/numerics/select-value",
      // Only what reads and writes regions.
      "@stipple/formats/**",
      "!@stipple/formats/limits",
      "!@stipple/formats/geojson",
      "!@stipple/formats/geojson/**",
      // Of the view: its doors.
      "**/packages/**",
      "@deck.gl/*",
      "@luma.gl/*",
      "@vivjs/*",
    ),
  },
  {
    files: ["e2e/**/*.test.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: 'CallExpression[callee.name="expect"] > AwaitExpression',
          message:
            "What a page shows comes in its time: expect.poll(…); of other promises: .resolves.",
        },
      ],
    },
  },
  {
    files: ["**/*.test.ts", "**/*.test.tsx"],
    rules: {
      "no-restricted-properties": [
        "error",
        {
          object: "vi",
          property: "waitFor",
          message: "It gives up after a second, too soon for a busy machine: expect.poll(…).",
        },
      ],
    },
  },
  { files: ["apps/payment-sandbox/**"], rules: forbidden("@stipple/*") },
  notDone,
  {
    files: ["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts", "**/*.test.tsx"],
    rules: { "max-lines-per-function": ["error", { max: 80 }] },
  },
  inOrder(
    "apps/web/src",
    {
      root: "apps/web/src",
      order: [["components"], ["app"], ["project"], ["features"], ["routes"], ["main"]],
    },
    {
      root: "apps/web/src/features",
      order: [readdirSync(new URL("apps/web/src/features", import.meta.url))],
    },
  ),
  inOrder("packages/viewer/src", {
    root: "packages/viewer/src",
    order: [
      ["choices"],
      ["geometry"],
      ["source"],
      ["cells"],
      ["draw"],
      ["tools"],
      ["layers"],
      ["scene"],
      ["figure"],
      ["index"],
    ],
  }),
  inOrder("apps/server/src", {
    root: "apps/server/src",
    order: [
      ["clock", "machine", "machine-memory", "settings", "stop", "storage"],
      ["start"],
      ["db"],
      ["access", "operations"],
      ["http"],
      ["audit", "config", "outputs"],
      ["doctor", "notices", "references"],
      ["billing"],
      ["projects"],
      ["accounts", "annotations", "uploads", "visualization"],
      ["studies"],
      ["results", "runs", "sample"],
      ["live-example"],
      ["context"],
      ["sweep-expired"],
      ["admin", "api", "backup"],
      ["main-api", "main-migrate", "main-worker"],
    ],
  }),
  {
    files: ["apps/server/src/**", "apps/cli/src/**", "packages/*/src/**"],
    ignores: ["apps/server/src/config.ts", "apps/cli/src/serve/**", "**/*.test.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "env",
          message: "The environment is read once, in apps/server/src/config.ts.",
        },
      ],
    },
  },
);
