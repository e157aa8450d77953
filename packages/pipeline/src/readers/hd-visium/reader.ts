import { HD_VISIUM } from "@stipple/contract/platforms/hd-visium";
import { InputError } from "../../errors.ts";
import type { FoundFile } from "../folder.ts";
import type { FolderSearch, PlatformReader } from "../platform-reader.ts";
import {
  type Choice,
  findSpaceRangerFiles,
  isSegmented,
  positionsAmong,
} from "../space-ranger/find-files.ts";
import { openSpaceRanger } from "../space-ranger/open-sample.ts";
import { binFolder, binUmOf } from "./bin-size.ts";
import { FINE_BIN_UM } from "./read-fine-bins.ts";
import { hdScale } from "./scale.ts";

/**
 * Space Ranger's outs folder with binned_outputs, a parent of it, or a flat folder with the files of one bin
 * size.
 */
export const hdVisiumReader: PlatformReader = {
  id: "hd_visium",
  sniff(files) {
    const bins = binFolders(files);
    return bins.length > 0 ? bins.join(", ") : positionsAmong(files);
  },
  async find(search) {
    const fineBins = search.fineBins ?? fineBinsAmong(search.files);
    const files = search.files.filter((file) => file.path !== fineBins);
    const sample = await findSpaceRangerFiles(search, chooseBins({ ...search, files }));
    return {
      ...sample,
      fineBins,
      layout: fineBins === null ? sample.layout : `${sample.layout}, ${FINE_BIN_UM} µm bins`,
    };
  },
  open: (files, { resolution }) =>
    openSpaceRanger(files, {
      scale: (positions, scalefactors, file) =>
        hdScale(positions, scalefactors, { resolution, file }),
      explainMismatch(countedBarcode, placedBarcode, names) {
        const [counted, placed] = [binUmOf(countedBarcode), binUmOf(placedBarcode)];
        if (counted === null || placed === null || counted === placed) return null;
        return `${names.matrix} has ${counted} µm bins, but ${names.positions} has ${placed} µm bins: take both from the same binned_outputs/square folder.`;
      },
    }),
};

function binOf(file: FoundFile): string | undefined {
  return /(?:^|\/)(square_\d{3}um)(?:\/|$)/.exec(file.folder)?.[1];
}

/**
 * The filtered counts of the finest bins, in Space Ranger's folder for them or next to the other files under
 * its name.
 */
function fineBinsAmong(files: readonly FoundFile[]): string | null {
  const folder = binFolder(FINE_BIN_UM);
  const flat = new RegExp(`${folder}[^/]*\\.h5$`);
  const found = files.filter(
    (file) =>
      !/(^|[^a-z])raw_|molecule_info|probe/.test(file.name) &&
      (flat.test(file.name) ||
        (binOf(file) === folder && /filtered_feature_bc_matrix\.h5$/.test(file.name))),
  );
  return found[0]?.path ?? null;
}

function binFolders(files: readonly FoundFile[]): string[] {
  return [...new Set(files.flatMap((file) => binOf(file) ?? []))].sort();
}

function chooseBins({ files, shown, resolution }: FolderSearch): Choice {
  const formats = ["parquet", "csv"] as const;
  const bins = binFolders(files);
  if (bins.length === 0) return { files, binned: null, formats };
  const wanted = binFolder(Number(resolution ?? HD_VISIUM.resolutions[0]));
  if (!bins.includes(wanted)) {
    throw new InputError(
      `${wanted} is missing from ${shown}, which has ${bins.join(", ")}: choose another bin size or copy binned_outputs/${wanted} there.`,
    );
  }
  const found = files.filter(
    (file) => !isSegmented(file) && (binOf(file) === undefined || binOf(file) === wanted),
  );
  return { files: found, binned: wanted, formats };
}
