import { foldersBetween, list, type CandidateFile, type Named } from "./candidate.ts";
import { chooseImage } from "./choose-image.ts";
import { distinct } from "./content.ts";
import type { Choice, Sorted } from "./recognize.ts";

/** A folder with one table of counts, one of spot coordinates, and the H&E image. */
export async function chooseSt<F extends CandidateFile>({
  byRole,
  subject,
}: Sorted<F>): Promise<Choice<F>> {
  const files: Choice<F>["files"] = {};
  const faults: Choice<F>["faults"] = [];
  const rejected: Choice<F>["rejected"] = [];
  async function take(
    role: "coordinates" | "counts",
    best: readonly Named<F>[],
    several: string,
  ): Promise<Named<F> | undefined> {
    const found = await distinct(best);
    for (const each of byRole.get(role) ?? []) {
      if (found.includes(each)) continue;
      rejected.push({ file: each, role, why: `is not used as ${role}` });
    }
    if (found.length > 1) {
      faults.push({
        role,
        files: found.map(({ file }) => file),
        sentence: `${subject} contains ${found.length} ${several} (${list(found.map(({ shown }) => shown))}): use a folder with those of one sample, or choose one.`,
      });
      return undefined;
    }
    if (found[0]) files[role] = found[0].file;
    return found[0];
  }
  const coordinates = await take(
    "coordinates",
    byRole.get("coordinates") ?? [],
    "tables of spot coordinates",
  );
  const base = coordinates?.folder ?? "";
  const counts = likeliest(byRole.get("counts") ?? [], base);
  await take("counts", counts, "tables that could hold the counts");
  const [reference] = byRole.get("reference") ?? [];
  if (reference) files.reference = reference.file;
  const { image, channels, fault, ...images } = await chooseImage(byRole.get("he_image") ?? [], {
    expected: null,
    base,
    prefix: "",
    subject,
  });
  if (image) files.he_image = image;
  if (fault) faults.push(fault);
  for (const { file, why } of images.rejected) rejected.push({ file, role: "he_image", why });
  return { files, channels, bins: null, isRaw: false, faults, rejected };
}

/** The tables most likely to contain the counts: by name, then by distance from the coordinates. */
function likeliest<F extends CandidateFile>(found: readonly Named<F>[], base: string): Named<F>[] {
  const rank = ({ name, folder }: Named): number =>
    Number(/^counts\./.test(name)) * 1000 +
    Number(/count|stdata|matrix/.test(name)) * 100 +
    Number(name.includes(".tsv")) * 10 -
    foldersBetween(base, folder);
  const best = Math.max(...found.map(rank));
  return found.filter((file) => rank(file) === best);
}
