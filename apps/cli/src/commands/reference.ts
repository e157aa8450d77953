import { knownTissue } from "@stipple/contract/tissues";
import type { Printed } from "@stipple/server/admin/admin";
import type { DownloadOptions } from "@stipple/server/references/download";
import type { Storage } from "@stipple/server/storage/storage";
import { InvalidArgumentError, Option, type Command } from "commander";

interface AddOptions {
  labels: string;
  tissue: string;
  name?: string;
  species?: "human" | "mouse";
  source?: string;
  citation?: string;
  license?: string;
  json: boolean;
}

/** `stipple reference`: labeled cells that everyone on this instance may use to name cell types. */
export function addReference(program: Command): void {
  const reference = program
    .command("reference")
    .description("keep labeled single cells that name cell types, for every analysis");
  reference
    .command("add")
    .description("condense labeled cells to a profile for each label and keep those")
    .argument(
      "<source>",
      "labeled single cells with counts (h5ad): a file, or a public http(s) URL",
    )
    .requiredOption("--labels <column>", "the obs column with the labels")
    .requiredOption(
      "--tissue <name>",
      "the tissue under which it is listed, for example pancreas",
      tissueOption,
    )
    .option("--name <name>", "name of the reference; the file's name by default")
    .addOption(
      new Option("--species <name>", "expected species: a file of another one is refused").choices([
        "human",
        "mouse",
      ]),
    )
    .option("--source <text>", "source to record; the file's name or the URL by default")
    .option("--citation <text>", "what to cite when it is used")
    .option("--license <text>", "its license")
    .option("--json", "print JSON", false)
    .action(async (source: string, { json, labels, ...about }: AddOptions) => {
      const { addReference: add } = await import("@stipple/server/admin/references");
      const { cancelOnSignal } = await import("../terminal/cancellation.ts");
      using cancellation = cancelOnSignal(() => undefined);
      const { signal } = cancellation;
      try {
        await print(json, (storage, { maxBytes }) =>
          add(storage, source, { ...about, labelColumn: labels }, { signal, maxBytes }),
        );
      } catch (error) {
        if (!signal.aborted) throw error;
        process.stderr.write("Canceled: nothing was kept.\n");
        process.exitCode = 1;
      }
    });
  reference
    .command("list")
    .description("list the built-in and kept references by tissue")
    .option("--json", "print JSON", false)
    .action(async ({ json }: { json: boolean }) => {
      const { printReferences } = await import("@stipple/server/admin/references");
      await print(json, printReferences);
    });
  reference
    .command("remove")
    .description("remove a kept reference; analyses that use it keep their copy")
    .argument("<name>", "its name")
    .option("--json", "print JSON", false)
    .action(async (name: string, { json }: { json: boolean }) => {
      const { removeNamed } = await import("@stipple/server/admin/references");
      await print(json, (storage) => removeNamed(storage, name));
    });
}

async function print(
  json: boolean,
  work: (storage: Storage, limits: Pick<DownloadOptions, "maxBytes">) => Promise<Printed>,
): Promise<void> {
  const { loadEnvironment } = await import("../serve/settings.ts");
  const { withStorage } = await import("@stipple/server/admin/references");
  const { PRIVATE_UMASK } = await import("../serve/private-files.ts");
  process.umask(PRIVATE_UMASK);
  const { data, lines } = await withStorage(loadEnvironment(), work);
  process.stdout.write(json ? `${JSON.stringify(data, null, 2)}\n` : `${lines.join("\n")}\n`);
}

/** A tissue of the catalog by its usual name; others, such as blood, in plain words. */
function tissueOption(text: string): string {
  const plain = text.trim().toLowerCase();
  if (plain === "" || plain.length > 40 || /[^a-z0-9 -]/.test(plain)) {
    throw new InvalidArgumentError("Use up to 40 letters, for example pancreas.");
  }
  return knownTissue(plain) ?? plain;
}
