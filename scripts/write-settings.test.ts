import { readFile } from "node:fs/promises";
import { readSettings } from "@stipple/server/settings/read-settings";
import { expect, it } from "vitest";
import { environmentExample, settingsPage } from "./write-settings.ts";

it("docs/settings.md and .env.example match the output of npm run settings", async () => {
  expect(await readFile("docs/settings.md", "utf8")).toBe(await settingsPage());
  expect(await readFile(".env.example", "utf8")).toBe(environmentExample());
});

it("the unmodified example is a valid environment", () => {
  const lines = environmentExample().matchAll(/^([A-Z_0-9]+)=(.*)$/gm);
  const environment = Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  expect(readSettings(environment)).toEqual(readSettings({}));
});
