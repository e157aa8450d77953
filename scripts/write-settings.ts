/** Writes docs/settings.md and .env.example from the registry of settings: `npm run settings`. */
import { writeFile } from "node:fs/promises";
import { SECTIONS, type Setting } from "@stipple/server/settings/settings";
import { format } from "prettier";

type Named = [string, Setting<unknown, unknown>];

const sections = Object.entries(SECTIONS).map(
  ([title, settings]) => [title, Object.entries(settings) as Named[]] as const,
);

function fallbackOf({ fallback, otherwise }: Setting<unknown, unknown>): string {
  return otherwise ?? `\`${String(fallback)}\``;
}

const cell = (text: string): string => text.replaceAll("|", "\\|");

/** Text of docs/settings.md. */
export async function settingsPage(): Promise<string> {
  const page = [
    "# Settings",
    "",
    "Written by `npm run settings` from `apps/server/src/settings/settings.ts`. Set them in the environment or in `.env` next to `package.json`; the environment wins, and an empty value counts as not set. With an invalid value, or a `STIPPLE_` setting that is not listed here, Stipple does not start and says why. `npx stipple doctor` checks all settings and what they refer to.",
    "",
    "The credentials of S3 are the usual ones of AWS: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, a profile, or the role of the machine.",
    "",
    "`stipple serve` runs a whole platform on one machine. On several, `stipple api` and `stipple worker` run side by side with the same `DATABASE_URL`, `STIPPLE_STORAGE`, and `STIPPLE_SECRET`: see [scaling.md](scaling.md).",
  ];
  for (const [title, settings] of sections) {
    page.push(
      "",
      `## ${title}`,
      "",
      "| Setting | Value | Default | Read by | Meaning |",
      "|-|-|-|-|-|",
    );
    for (const [name, setting] of settings) {
      page.push(
        `| \`${name}\` | ${cell(setting.kind.says)} | ${cell(fallbackOf(setting))} | ${setting.readBy.join(", ")} | ${cell(setting.meaning)} |`,
      );
    }
  }
  return format(page.join("\n"), { parser: "markdown", printWidth: 120, proseWrap: "preserve" });
}

/** Text of .env.example. */
export function environmentExample(): string {
  const lines = [
    "# Copy to .env; every line is optional. The environment wins over this file. Written by npm run settings.",
  ];
  for (const [title, settings] of sections) {
    lines.push("", `# --- ${title} ---`);
    for (const [name, setting] of settings) {
      const { fallback, meaning, otherwise, kind } = setting;
      lines.push(
        `# ${meaning.replaceAll("`", "")} ${otherwise ? `(${kind.says}; without it: ${otherwise.replaceAll("`", "")})` : `(${kind.says})`}`,
        `${name}=${fallback === undefined ? "" : String(fallback)}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

if (import.meta.main) {
  await writeFile("docs/settings.md", await settingsPage());
  await writeFile(".env.example", environmentExample());
}
