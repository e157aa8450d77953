import { Linter } from "eslint";
import { expect, it } from "vitest";

const root = new URL("..", import.meta.url);
const { default: configs } = (await import(new URL("eslint.config.js", root).href)) as {
  default: Linter.Config[];
};
// Without types, which take a minute to load.
const configured = configs.filter(({ rules }) => rules?.["stipple/folder-order"] !== undefined);

/** Imports that the rule refuses in a file with these imports at this path. */
function refused(filename: string, ...imports: string[]): string[] {
  const linter = new Linter({ cwd: root.pathname });
  const found = linter.verify(imports.join("\n"), configured, { filename });
  return found.map(({ message }) => message.split(":")[0]);
}

it("lets folders of the server import only those before them", () => {
  expect(
    refused(
      "apps/server/src/http/bodies.ts",
      `import { openBilling } from "../billing/billing.ts";`,
      `import { ApiError } from "./api-error.ts";`,
      `void import("../context.ts");`,
      `export * from "../db/database.ts";`,
      `export * from "../not-listed/file.ts";`,
    ),
  ).toEqual([
    "apps/server/src/http may not import apps/server/src/billing",
    "apps/server/src/http may not import apps/server/src/context",
    "apps/server/src/http may not import apps/server/src/not-listed",
  ]);
});

it("lets folders of the pages import only those before them, and no feature another", () => {
  expect(
    refused(
      "apps/web/src/features/help/help-page.tsx",
      `import { openCheckout } from "../billing/checkout.ts";`,
      `import { isOf } from "../../project/phase.ts";`,
      `import { AppRoutes } from "../../routes/router.tsx";`,
    ),
  ).toEqual([
    "apps/web/src/features/help may not import apps/web/src/features/billing",
    "apps/web/src/features may not import apps/web/src/routes",
  ]);
});
