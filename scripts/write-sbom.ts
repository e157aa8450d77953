/** Writes the software bill of materials (CycloneDX) from package-lock.json to sbom.cdx.json: `npm run sbom`. */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

interface Component {
  name: string;
  version: string;
  purl: string;
}

const { stdout } = await promisify(execFile)(
  "npm",
  ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"],
  { maxBuffer: 256 * 2 ** 20 },
);
const bill = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
const { packages } = JSON.parse(await readFile("package-lock.json", "utf8")) as {
  packages: Record<string, { version?: string; name?: string; link?: boolean }>;
};
const missing = Object.entries(packages).flatMap(([path, { version, name, link }]) => {
  const [, own] = path.split(/(?:^|\/)node_modules\/(?=[^/]+(?:\/[^/]+)?$)/);
  if (own === undefined || link || version === undefined) return [];
  const one = `${name ?? own}@${version}`;
  return listed.has(one) ? [] : [one];
});
if (bill.bomFormat !== "CycloneDX" || missing.length > 0) {
  console.error(`The bill of materials lacks ${missing.length} packages: ${missing.join(", ")}.`);
  process.exit(1);
}
await writeFile("sbom.cdx.json", `${JSON.stringify(bill, null, 2)}\n`);
console.log(`sbom.cdx.json: ${bill.components.length} components.`);
