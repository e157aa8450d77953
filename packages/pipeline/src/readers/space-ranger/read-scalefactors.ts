import { basename } from "node:path";
import * as z from "zod";
import { InputError } from "../../errors.ts";
import { readSmallText } from "../counts/read-text.ts";

const positive = z.number().positive();

/** scalefactors_json.json; lengths in full-resolution pixels. Unknown entries are ignored. */
const scalefactors = z.object({
  tissue_hires_scalef: positive.optional(),
  tissue_lowres_scalef: positive.optional(),
  spot_diameter_fullres: positive.optional(),
  fiducial_diameter_fullres: positive.optional(),
  regist_target_img_scalef: positive.optional(),
  /** HD only. */
  bin_size_um: positive.optional(),
  /** HD only: µm per full-resolution pixel. */
  microns_per_pixel: positive.optional(),
});
export type Scalefactors = z.infer<typeof scalefactors>;

/** Reads Space Ranger's scale factors; a missing file gives an empty object. Throws {@link InputError}. */
export async function readScalefactors(path: string | null): Promise<Scalefactors> {
  if (path === null) return {};
  const file = basename(path);
  const text = await readSmallText(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new InputError(`${file} is not valid JSON: use the original Space Ranger file.`, {
      file,
      cause,
    });
  }
  const parsed = scalefactors.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new InputError(
      `${file} has no positive number for ${issue?.path.join(".") || "its entries"}: use the original Space Ranger file.`,
      { file },
    );
  }
  return parsed.data;
}
