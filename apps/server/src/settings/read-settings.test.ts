import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { readSettings, SETTINGS, SettingsError } from "./read-settings.ts";
import { INTERNAL } from "./settings.ts";

const DATABASE_URL = "postgresql://localhost/stipple";
const faults = (environment: NodeJS.ProcessEnv): string => {
  try {
    readSettings(environment);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
};

it("treats empty settings as unset", () => {
  expect(readSettings({ PORT: "", STIPPLE_THREADS: "" })).toMatchObject({ PORT: 3000 });
  expect(readSettings({ STIPPLE_RUN_MAILS: "false" }).STIPPLE_RUN_MAILS).toBe(false);
});

it("names an unknown setting and the likely intended one", () => {
  expect(faults({ STIPPLE_TREADS: "4" })).toBe(
    "STIPPLE_TREADS is not a setting of Stipple: did you mean STIPPLE_THREADS? All are listed in docs/settings.md.",
  );
  expect(faults({ STIPPLE_COFFEE_MACHINE: "on" })).not.toContain("did you mean");
});

it.each([
  ["PORT", "abc", "a whole number from 0 to 65535"],
  ["PORT", "70000", "a whole number from 0 to 65535"],
  ["STIPPLE_STORAGE", "gs://bucket", "file:DIR or s3://BUCKET/PREFIX"],
  ["STIPPLE_RUN_MAILS", "maybe", "true or false"],
  ["STIPPLE_LOG_LEVEL", "loud", "one of fatal"],
  ["STIPPLE_TRUST_PROXY", "true", "false, the number of proxies in front"],
  ["STIPPLE_S3_ENDPOINT", "minio:9000", "an http:// or https:// address"],
])("refuses %s=%s in a sentence", (name, value, says) => {
  expect(faults({ [name]: value })).toMatch(
    new RegExp(`^${name} must be ${says}.*, not "${value}"\\.$`),
  );
});

it("does not print an invalid secret", () => {
  expect(faults({ STIPPLE_SECRET: "short" })).toBe(
    "STIPPLE_SECRET must be at least 32 characters.",
  );
});

it("reports all errors at once", () => {
  expect(faults({ PORT: "x", STIPPLE_THREADS: "0" }).split("\n")).toHaveLength(2);
});

it.each([
  ["1", 1],
  ["10.0.0.1", ["10.0.0.1"]],
  ["10.0.0.0/8, ::1", ["10.0.0.0/8", "::1"]],
  ["fd00::/8", ["fd00::/8"]],
])("trusts proxies given as %s", (text, trusted) => {
  expect(readSettings({ STIPPLE_TRUST_PROXY: text }).STIPPLE_TRUST_PROXY).toEqual(trusted);
});

it("refuses a data folder that cannot be created, and a key without its webhook secret", () => {
  const file = join(mkdtempSync(join(tmpdir(), "stipple-settings-")), "a-file");
  writeFileSync(file, "");
  expect(() => readConfig({ DATABASE_URL, STIPPLE_DATA_DIR: join(file, "data") })).toThrow(
    /^The data folder .* cannot be written to \(ENOTDIR\): /,
  );
  expect(() => readConfig({ DATABASE_URL, STRIPE_SECRET_KEY: "sk_test_1" })).toThrow(
    "STRIPE_WEBHOOK_SECRET is not set",
  );
  expect(() => readConfig({})).toThrow("DATABASE_URL is not set");
});

it("knows every STIPPLE_ variable read by the sources", () => {
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  const unknown = new Set<string>();
  for (const folder of ["apps/server/src", "apps/cli/src", "apps/payment-sandbox/src", "e2e"]) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.ts$/.test(entry) || /settings\/|\.test\.ts$/.test(entry)) continue;
      const source = readFileSync(join(root, folder, entry), "utf8");
      for (const [, name = ""] of source.matchAll(
        /(?:env|environment|value|need)(?:\.|\[?\(?")(STIPPLE_\w+)/g,
      )) {
        if (!SETTINGS.has(name) && !INTERNAL.includes(name)) unknown.add(name);
      }
    }
  }
  expect([...unknown]).toEqual([]);
});
