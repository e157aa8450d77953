import type { Named, Role } from "./candidate.ts";

/** What a name promises, by the end of the name; the first that fits. Names are in lower case. */
const SPACE_RANGER_NAMES: readonly (readonly [Role, RegExp])[] = [
  ["positions", /tissue_positions(_list)?\.(csv(\.gz)?|parquet)$/],
  ["scale", /scalefactors.*\.json(\.gz)?$/],
  ["hires", /(^|[^a-z])hires.*\.(png|jpe?g)$/],
  ["lowres", /(^|[^a-z])lowres.*\.(png|jpe?g)$/],
  ["barcodes", /barcodes?\.tsv(\.gz)?$/],
  ["features", /(features|genes)\.tsv(\.gz)?$/],
  ["matrix", /matrix\.mtx(\.gz)?$/],
  ["fine_bins", /square_002um.*\.h5$/],
  ["h5", /\.h5$/],
  // graphclust_annotated_cell_segmentations.geojson holds the same outlines once more.
  ["cells", /(?<!annotated_)cell_segmentations\.geojson(\.gz)?$/],
  ["nuclei", /(?<!annotated_)nucleus_segmentations\.geojson(\.gz)?$/],
  ["reference", /^reference\.h5ad$/],
];

const TABLE = /\.(tsv|csv|txt)(\.gz)?$/;
/** Words in the name of a table of spot coordinates. */
const COORDINATES = /(spots?_|spots?\b|coord|selection)/;

/** Image formats that are read. Slides of these scanners are TIFF files under another name. */
export const TIFF_LIKE = /\.(tiff?|btf|tf[28]|svs|qptiff|scn)$/;
const SIMPLE_IMAGE = /\.(jpe?g|png)$/;

/** What a file of Space Ranger's output is by its name; undefined if its name says nothing. */
export function spaceRangerRole({ name, folder }: Named): Role | undefined {
  const found = SPACE_RANGER_NAMES.find(([, pattern]) => pattern.test(name))?.[0];
  if (found === "h5" && /(^|\/)square_002um(\/|$)/i.test(folder)) return "fine_bins";
  return found ?? (isImageName(name) ? "he_image" : undefined);
}

/** What a file of first-generation Spatial Transcriptomics is by its name; undefined if its name says nothing. */
export function stRole({ name }: Named): Role | undefined {
  if (name === "reference.h5ad") return "reference";
  if (TABLE.test(name) && !name.includes("tissue_positions")) {
    return COORDINATES.test(name) ? "coordinates" : "counts";
  }
  return isImageName(name) ? "he_image" : undefined;
}

export function isImageName(name: string): boolean {
  return TIFF_LIKE.test(name) || SIMPLE_IMAGE.test(name);
}

/** A form in which no entry point can use a file, whatever is inside; `why` completes a sentence that starts with its name. */
export interface UnusableForm {
  kind: "archive" | "compressed" | "scanner";
  why: string;
  role: Role | undefined;
}

const UNPACK: Readonly<Record<string, string>> = {
  gz: "gunzip",
  bz2: "bunzip2",
  xz: "unxz",
  zst: "unzstd",
};
const SCANNER = /\.(ndpi|bif|mrxs|czi|vsi|lif|nd2|jp2|jpx|j2k|dcm|heic|ims|zvi|lsm|sdpc|kfb)$/;
const IMAGE_INSIDE = /\.(png|jpe?g|tiff?|btf|svs|ndpi|qptiff|scn|czi|vsi|jp2)$/;

/** Archives, compressed pictures and slides of scanners, by name. */
export function unusableForm(name: string): UnusableForm | null {
  if (/\.(tar(\.\w+)?|tgz|tbz2?|txz|(?<!\.zarr\.)zip|7z|rar)$/.test(name)) {
    return {
      kind: "archive",
      why: "is an archive: unpack it and use the files inside",
      role: undefined,
    };
  }
  const packed = /^(.*)\.(gz|bz2|xz|zst)$/.exec(name);
  if (packed) {
    const [, inner = "", ending = ""] = packed;
    const isImage = IMAGE_INSIDE.test(inner);
    const isData = /\.(csv|tsv|mtx|json|parquet|h5|h5ad|geojson)$/.test(inner);
    const isRead = ending === "gz" && /\.(csv|tsv|txt|mtx|json|geojson)$/.test(inner);
    if (isRead || !(isImage || isData)) return null;
    const why = `is compressed: unpack it (${UNPACK[ending]})`;
    const role = spaceRangerRole({ name: inner, folder: "" } as Named);
    return { kind: "compressed", why, role: isImage ? (role ?? "he_image") : role };
  }
  if (!SCANNER.test(name)) return null;
  return {
    kind: "scanner",
    why: "is in a format that cannot be read: export the image from the scanner's or viewer's software as TIFF or BigTIFF (.tif or .btf) at full resolution",
    role: "he_image",
  };
}

/** A file that another part of Space Ranger writes or that is of no use here: what it is, after its name. */
export interface OtherPurpose {
  role: Role | undefined;
  why: string;
}

const OTHER_PURPOSES: readonly (readonly [RegExp, Role | undefined, string])[] = [
  [
    /(^|\/)(segmented_outputs|cell_segmentation)\/(?!.*feature_bc_matrix)(.*\/)?[^/]*\.(h5|mtx(\.gz)?|tsv(\.gz)?)$/,
    "h5",
    "holds Space Ranger's counts by cell, not by spot or bin",
  ],
  [
    /(filtered|raw)_feature_cell_matrix(\.h5$|\/)/,
    "h5",
    "holds Space Ranger's counts by cell, not by spot or bin",
  ],
  [/(^|\/)segmented_outputs\/.*\.(png|jpe?g|json)$/, undefined, "belongs to Space Ranger's cells"],
  [/molecule_info\.h5$/, "h5", "holds molecules, not counts by spot"],
  [/feature_slice\.h5$/, "h5", "is Space Ranger's data for Loupe Browser, not a matrix of counts"],
  [/raw_probe_bc_matrix[^/]*(\.h5$|\/)/, "h5", "holds counts by probe, not by gene"],
  [
    /\.(cloupe|rds|rdata|loom|h5mu|zarr\.zip)$/,
    "h5",
    "is not a matrix of counts as Space Ranger writes it",
  ],
  [
    /(?<!\/reference)\.h5ad$/,
    "reference",
    "is used as the reference only if it is called reference.h5ad or chosen for it",
  ],
  [
    /(^|\/|_)(cytassist_image|aligned_fiducials|aligned_tissue_image|detected_tissue_image)\.(tiff?|jpe?g|png)$/,
    "he_image",
    "is a picture that Space Ranger made or its instrument took, not the microscope image",
  ],
  [
    /(^|\/)(analysis|deconvolution|web_summary[^/]*|tertiary_analysis)\/(?!.*tissue_(hi|low)res_).*\.(png|jpe?g|svg|pdf)$/,
    undefined,
    "is a figure",
  ],
];

/** Why a file, though it looks like data of a sample, is never its counts, positions or image. */
export function otherPurpose(file: Named): OtherPurpose | null {
  const path = `${file.folder.toLowerCase().replace(ABOVE_OUTPUT, "")}/${file.name}`;
  const found = OTHER_PURPOSES.find(([pattern]) => pattern.test(path));
  return found ? { role: found[1], why: found[2] } : null;
}

/** Folders above a Space Ranger output: users' own, with arbitrary names. */
const ABOVE_OUTPUT = /^(.*\/)?outs(?=\/|$)/;

/** Whether a matrix is the unfiltered one, by its name or that of its three files' folder. */
export function isRaw({ folder, name }: Named): boolean {
  const own = folder.toLowerCase().split("/").at(-1) ?? "";
  return /(^|[^a-z])raw_(?!.*filtered_)/.test(name) || /(^|[^a-z])raw_\w*matri/.test(own);
}

/** The bin folder that a path belongs to, "square_008um"; undefined outside of bins. */
export function binOf({ folder, name }: Named): string | undefined {
  const path = `${folder.toLowerCase()}/${name}`;
  return [...path.matchAll(/(?:^|[/_.-])(square_\d{3}um)(?=[/_.-])/g)].at(-1)?.[1];
}

const NO_MICROSCOPE =
  /^(masks?|labels?|segmentations?|seg|aligned|fiducials?|detected|overlay|annotat(ed|ions?)|thumbnails?|thumb|macro|preview|hires|lowres|figures?|plots?|umap|tsne|heatmap)$/;
const LABELS = /^(masks?|labels?|segmentations?|seg)$/;

/** The words of a name, cut at signs and at capital letters: "nucleiMask_v2" → nuclei, mask, v2. */
function wordsOf(shown: string): string[] {
  return shown
    .replace(/\.[a-z]+$/i, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

/** Whether a word of the name says that it is no microscope image. */
export function soundsDerived({ shown }: Named): boolean {
  return wordsOf(shown).some((word) => NO_MICROSCOPE.test(word));
}

/** Whether a word of the name says that its numbers are labels of objects. */
export function soundsLikeLabels({ shown }: Named): boolean {
  return wordsOf(shown).some((word) => LABELS.test(word));
}

/** Whether it is called as 10x and users call the microscope image. */
export function soundsLikeMicroscope({ name }: Named): boolean {
  return /^image\.[a-z.]+$|(^|_)tissue_image\.|fullres|full_res|histology|microscope/.test(name);
}
