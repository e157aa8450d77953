import { InputError } from "../../errors.ts";
import { itemAt } from "@stipple/formats/hdf5/open-h5";
import { Group, type H5File } from "@stipple/formats/hdf5/library";

/** A group of a 10x HDF5 file that holds a matrix; its name is "matrix", or a genome's in older files. */
export interface MatrixGroup {
  name: string;
  group: Group;
}

export const FROM_SPACE_RANGER =
  "copy or download filtered_feature_bc_matrix.h5 from Space Ranger's outs folder again";

const FROM_SAME_FOLDER = "use filtered_feature_bc_matrix.h5 from the same outs folder";

/** Other files in HDF5, by the names in them: what they are, and what to do. */
const OTHERS: readonly { names: readonly string[]; what: string; remedy: string }[] = [
  {
    names: ["obs", "var"],
    what: "is an AnnData file (h5ad), not a 10x matrix",
    remedy:
      'use filtered_feature_bc_matrix.h5 from Space Ranger\'s outs folder, or write the raw counts with scipy.io.mmwrite("matrix.mtx", adata.X.T) next to barcodes.tsv and features.tsv with adata.obs_names and adata.var_names',
  },
  {
    names: ["mod", "obs"],
    what: "is a MuData file (h5mu), not a 10x matrix",
    remedy: "use filtered_feature_bc_matrix.h5 from Space Ranger's outs folder",
  },
  {
    names: ["barcode_idx", "umi"],
    what: "is a molecule_info file, which lists molecules rather than counts",
    remedy: FROM_SAME_FOLDER,
  },
  {
    names: ["molecule_info"],
    what: "is a molecule_info file, which lists molecules rather than counts",
    remedy: FROM_SAME_FOLDER,
  },
  {
    names: ["feature_slices"],
    what: "is a feature_slice file of HD Visium, not a matrix of bins",
    remedy: "use filtered_feature_bc_matrix.h5 from binned_outputs/square_008um",
  },
  {
    names: ["row_attrs", "col_attrs"],
    what: "is a loom file, not a 10x matrix",
    remedy: "use filtered_feature_bc_matrix.h5 from Space Ranger's outs folder",
  },
  {
    names: ["assays", "meta.data"],
    what: "is an h5Seurat file, not a 10x matrix",
    remedy:
      "use filtered_feature_bc_matrix.h5 from Space Ranger's outs folder, or write the raw counts with DropletUtils::write10xCounts",
  },
];

/**
 * The groups that hold a matrix of counts: one, or one for each genome. Throws {@link InputError} that says what
 * the file is if it holds none, or several that cannot be genomes of one sample.
 */
export function matrixGroups(h5: H5File, file: string): [MatrixGroup, ...MatrixGroup[]] {
  const fail = (what: string, remedy: string): never => {
    throw new InputError(`${file} ${what}: ${remedy}.`);
  };
  const names = h5.keys();
  const other = OTHERS.find((each) => each.names.every((name) => names.includes(name)));
  if (other) return fail(other.what, other.remedy);
  const groups = names.flatMap((name) => {
    const group = itemAt(h5, name);
    return group instanceof Group && group.keys().includes("indptr") ? [{ name, group }] : [];
  });
  const [first, ...others] = groups;
  if (!first) {
    return fail(
      "contains no 10x matrix (no group with indptr)",
      "use filtered_feature_bc_matrix.h5 from Space Ranger's outs folder",
    );
  }
  if (others.length > 0 && names.includes("matrix")) {
    const shown = groups.map(({ name }) => name).join(", ");
    fail(`holds several matrices (${shown})`, FROM_SPACE_RANGER);
  }
  for (const { group } of groups) {
    const features = itemAt(group, "features");
    if (features instanceof Group && features.keys().includes("filtered_probes")) {
      fail("counts probes rather than genes (raw_probe_bc_matrix.h5)", FROM_SAME_FOLDER);
    }
  }
  return [first, ...others];
}
