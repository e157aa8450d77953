import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const sources = globSync(["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.ts"], { cwd: root })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${root}${file}`, "utf8") }));

/** Our files that match an expression, with the text of each match. */
function found(expression: RegExp): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(expression)].map(([what]) => `${file}: ${what}`),
  );
}

it("covers all of our code", () => {
  expect(sources.length).toBeGreaterThan(800);
  expect(found(/from "node:child_process"/g).length).toBeGreaterThan(5);
});

it("starts programs without a shell", () => {
  expect(
    found(
      /\bexecSync\b|\bspawnSync\b|shell: *(?:true|")|import \{[^}]*\bexec\b[^}]*\} from "node:child_process"/g,
    ),
  ).toEqual([]);
});

it("creates no code or regular expression from text", () => {
  expect(found(/\beval\(|new Function\(/g)).toEqual([]);
  // Their arguments are our own constants.
  expect(found(/new RegExp\(.*/g).sort()).toEqual([
    "packages/pipeline/src/figures/figure-parts.ts: new RegExp(`tissue ${PART} key ${PART}`);",
    "packages/pipeline/src/species/known-species.ts: new RegExp(`^${prefix}\\\\d`);",
  ]);
});

it("sets no HTML but that of the help pages, which is made of our own files when the pages are built", () => {
  const set = found(
    /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/g,
  );
  expect(new Set(set)).toEqual(
    new Set(["apps/web/src/features/help/help-page.tsx: dangerouslySetInnerHTML"]),
  );
});

it("uses no outdated hash function", () => {
  expect(found(/createHash\("(?!sha256)\w+"\)|createHmac\("(?!sha256)\w+"/gi)).toEqual([]);
});

it("keeps certificate checks enabled", () => {
  expect(found(/rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity/g)).toEqual([]);
});

it("exchanges messages only with windows of its own origin", () => {
  const toWindows = found(/(?:opener|parent|window|tab)\??\.postMessage\([^;]*/g).filter((what) =>
    what.startsWith("apps/web/"),
  );
  expect(toWindows).toHaveLength(1);
  expect(toWindows[0]).toContain("window.location.origin");
  const listeners = sources.filter(({ text }) => /window\.addEventListener\("message"/.test(text));
  expect(listeners.map(({ file }) => file)).toEqual(["apps/web/src/app/session-expired.tsx"]);
  expect(listeners[0]?.text).toContain("event.origin === window.location.origin");
});

it("lets users paste passwords and password managers fill them in", () => {
  expect(found(/onPaste=|onCopy=|onDrop=\{\(event\) => event\.preventDefault/g)).toEqual([]);
  const fields = found(/<PasswordField\s.*?\/>/gs);
  expect(fields.length).toBeGreaterThan(3);
  expect(fields.filter((field) => !/autoComplete=/.test(field))).toEqual([]);
});
