import type { PlatformId, Resolution } from "../../platforms/index.ts";
import type { Role } from "../candidate.ts";

/** A folder as people have it, and what every entry point must make of it. */
export interface FolderCase {
  name: string;
  platform?: PlatformId;
  resolution?: Resolution;
  /** See `describedFile`. */
  files: readonly string[];
  /** Role → path. */
  takes?: Partial<Record<Role, string>>;
  /** The images that are channels of one, in their order. */
  channels?: readonly string[];
  /** Files that are left out with a reason, each with words of it. */
  names?: Readonly<Record<string, string>>;
  /** Words of the sentence why nothing, or one place, can be filled. */
  fault?: string;
}

const within = (folder: string, ...names: string[]): string[] =>
  names.map((name) => `${folder}/${name}`);

const MEX = ["barcodes.tsv.gz", "features.tsv.gz", "matrix.mtx.gz"];
/** The scale factor is 0.1: the full image has 900 × 800 px. */
const SPATIAL = within(
  "spatial",
  "tissue_positions.csv",
  "scalefactors_json.json",
  "tissue_hires_image.png = 90x80",
  "tissue_lowres_image.png = 9x8",
);
const PLACED = {
  positions: "spatial/tissue_positions.csv",
  scale: "spatial/scalefactors_json.json",
  hires: "spatial/tissue_hires_image.png",
  lowres: "spatial/tissue_lowres_image.png",
} as const;
const H5 = "filtered_feature_bc_matrix.h5";
const BASE = [H5, ...SPATIAL];
const FOUND = { h5: H5, ...PLACED };
const HD = (bin: string): string[] =>
  within(
    `binned_outputs/${bin}`,
    H5,
    "raw_feature_bc_matrix.h5",
    "spatial/tissue_positions.parquet",
    "spatial/scalefactors_json.json",
  );

export const FOLDERS: readonly FolderCase[] = [
  {
    name: "Space Ranger's outs",
    files: [
      ...within("run/outs/filtered_feature_bc_matrix", ...MEX),
      ...within("run/outs/raw_feature_bc_matrix", ...MEX),
      ...within("run/outs", ...BASE, "raw_feature_bc_matrix.h5", "molecule_info.h5"),
      ...within("run/outs/spatial", "cytassist_image.tiff = 900x800", "aligned_fiducials.jpg"),
      ...within("run/outs", "web_summary.html", "cloupe.cloupe", "analysis/umap/projection.csv"),
      "run/slide.tif = 900x800",
      "run/.DS_Store",
      "run/outs/._filtered_feature_bc_matrix.h5",
      "run/Thumbs.db",
    ],
    takes: {
      ...Object.fromEntries(
        Object.entries(FOUND).map(([role, path]) => [role, `run/outs/${path}`]),
      ),
      barcodes: "run/outs/filtered_feature_bc_matrix/barcodes.tsv.gz",
      features: "run/outs/filtered_feature_bc_matrix/features.tsv.gz",
      matrix: "run/outs/filtered_feature_bc_matrix/matrix.mtx.gz",
      he_image: "run/slide.tif",
    },
    names: {
      "run/outs/raw_feature_bc_matrix.h5": "unfiltered",
      "run/outs/molecule_info.h5": "molecules",
      "run/outs/spatial/cytassist_image.tiff": "not the microscope image",
      "run/outs/spatial/aligned_fiducials.jpg": "not the microscope image",
    },
  },
  {
    name: "a download whose files have a prefix, but not in spatial",
    files: [`V1_Brain_${H5}`, "V1_Brain_image.tif = 900x800", ...SPATIAL],
    takes: { ...PLACED, h5: `V1_Brain_${H5}`, he_image: "V1_Brain_image.tif" },
  },
  {
    name: "matrices of two samples beside one spatial folder",
    files: [`A_${H5}`, `B_${H5}`, ...SPATIAL, "image.tif = 900x800"],
    takes: { ...PLACED, he_image: "image.tif" },
    fault: `several matrices of counts (A_${H5} and B_${H5})`,
  },
  {
    name: "a folder of counts for each genome",
    files: [
      ...within("filtered_gene_bc_matrices/hg19", "barcodes.tsv", "genes.tsv", "matrix.mtx"),
      ...within("filtered_gene_bc_matrices/mm10", "barcodes.tsv", "genes.tsv", "matrix.mtx"),
      ...SPATIAL,
      "image.tif = 900x800",
    ],
    takes: { ...PLACED, he_image: "image.tif" },
    fault: "holds the counts of 2 genomes (hg19 and mm10) in a folder each",
  },
  {
    name: "a folder of counts for each genome beside the H5 of all",
    files: [
      ...within("filtered_gene_bc_matrices/hg19", "barcodes.tsv", "genes.tsv", "matrix.mtx"),
      ...within("filtered_gene_bc_matrices/mm10", "barcodes.tsv", "genes.tsv", "matrix.mtx"),
      "filtered_gene_bc_matrices_h5.h5",
      ...SPATIAL,
      "image.tif = 900x800",
    ],
    takes: { ...PLACED, h5: "filtered_gene_bc_matrices_h5.h5", he_image: "image.tif" },
    names: { "filtered_gene_bc_matrices/hg19/matrix.mtx": "is of one genome only" },
  },
  {
    name: "counts and positions of two samples",
    files: [`GSM1_A_${H5}`, "GSM2_B_tissue_positions.csv", "image.tif"],
    takes: { positions: "GSM2_B_tissue_positions.csv", he_image: "image.tif" },
    names: { [`GSM1_A_${H5}`]: "belongs to gsm1_a, not to GSM2_B_tissue_positions.csv" },
  },
  {
    name: "counts with more in front of the sample's name than its positions",
    files: [`GSM1-P1.${H5}`, ...within("P1_spatial", "P1_tissue_positions.csv"), "image.tif"],
    takes: {
      h5: `GSM1-P1.${H5}`,
      positions: "P1_spatial/P1_tissue_positions.csv",
      he_image: "image.tif",
    },
  },
  {
    name: "counts of a sample whose name begins like that of the positions",
    files: [`P10_${H5}`, "P1_tissue_positions.csv", "image.tif"],
    takes: { positions: "P1_tissue_positions.csv", he_image: "image.tif" },
    names: { [`P10_${H5}`]: "belongs to p10, not to P1_tissue_positions.csv" },
  },
  {
    name: "two sample folders",
    files: [
      ...within("A/outs", ...BASE),
      ...within("B/outs", H5, 'spatial/tissue_positions.csv = "AAACAAGTATCTCCCA-1,1,1,1,9,9\\n'),
    ],
    fault: "2 samples (A/outs and B/outs)",
  },
  {
    name: "two samples of a download of GEO",
    files: [
      "GSM1_A_tissue_positions.csv",
      'GSM2_B_tissue_positions.csv = "AAACAAGTATCTCCCA-1,1,1,1,9,9\\n',
    ],
    fault: "2 samples (gsm1_a and gsm2_b): use only the files of one of them",
  },
  {
    name: "the same sample twice",
    files: [...within("A/outs", ...BASE), ...within("A copy/outs", ...BASE)],
    takes: Object.fromEntries(
      Object.entries(FOUND).map(([role, path]) => [role, `A/outs/${path}`]),
    ),
  },
  {
    name: "archives that were not unpacked",
    files: [H5, "image.tif", "V1_Brain_spatial.tar.gz"],
    takes: { h5: H5, he_image: "image.tif" },
    names: { "V1_Brain_spatial.tar.gz": "is an archive: unpack it" },
  },
  {
    name: "the image inside spatial",
    files: [...BASE, "spatial/tissue_fullres_image.tif = 900x800"],
    takes: { ...FOUND, he_image: "spatial/tissue_fullres_image.tif" },
  },
  {
    name: "another image inside spatial",
    files: [...BASE, "spatial/other.tif = 500x900"],
    takes: FOUND,
    names: { "spatial/other.tif": "other proportions than tissue_hires_image.png" },
  },
  {
    name: "an unlabeled scan",
    files: [...BASE, "V10A-001_A1_unlabeled_scan.tif = 900x800"],
    takes: { ...FOUND, he_image: "V10A-001_A1_unlabeled_scan.tif" },
  },
  {
    name: "a mask beside the image",
    files: [...BASE, "slide.tif = 900x800", "nuclei_mask.tif = 900x800 gray"],
    takes: { ...FOUND, he_image: "slide.tif" },
    names: { "nuclei_mask.tif": "is called a mask" },
  },
  {
    name: "a mask alone",
    files: [...BASE, "nucleiLabels.tif = 900x800 gray"],
    takes: FOUND,
    names: { "nucleiLabels.tif": "is called a mask" },
  },
  {
    name: "the instrument's and the microscope's image",
    files: [...BASE, "CytAssist_X_image.tif = 300x320", "CytAssist_X_tissue_image.tif = 900x800"],
    takes: { ...FOUND, he_image: "CytAssist_X_tissue_image.tif" },
    names: { "CytAssist_X_image.tif": "CytAssist_X_tissue_image.tif is the microscope image" },
  },
  {
    name: "the same without pictures to compare with",
    files: [
      H5,
      "spatial/tissue_positions.csv",
      "CytAssist_X_image.tif = 300x320",
      "CytAssist_X_tissue_image.tif = 900x800",
    ],
    takes: {
      h5: H5,
      positions: PLACED.positions,
      he_image: "CytAssist_X_tissue_image.tif",
    },
  },
  {
    name: "two images of the right size",
    files: [...BASE, "one.tif = 900x800", "two.tif = 900x800"],
    takes: FOUND,
    fault: "several images (one.tif and two.tif): choose the microscope image",
  },
  {
    name: "channels as MetaMorph names them, with a number before the stain",
    files: [...BASE, "scan_w1DAPI.tif = 900x800 gray", "scan_w2GFP.tif = 900x800 gray"],
    takes: FOUND,
    channels: ["scan_w1DAPI.tif", "scan_w2GFP.tif"],
  },
  {
    name: "channels in files of their own",
    files: [
      ...BASE,
      "S1_CD3.tif = 900x800 gray",
      "S1_DAPI.tif = 900x800 gray",
      "S1_PanCK.tif = 900x800 gray",
    ],
    takes: FOUND,
    channels: ["S1_DAPI.tif", "S1_CD3.tif", "S1_PanCK.tif"],
  },
  {
    name: "two copies of the image",
    files: [...BASE, "slide (1).tif = 900x800 of slide", "images/slide.tif = 900x800"],
    takes: { ...FOUND, he_image: "slide (1).tif" },
  },
  {
    name: "an image of another section beside the right one",
    files: [...BASE, "image.tif = 500x900", "section_4.tif = 900x800"],
    takes: { ...FOUND, he_image: "section_4.tif" },
  },
  {
    name: "a download of GEO",
    files: [
      ...MEX.map((name) => `GSM1_A1_${name}`),
      "GSM1_A1_tissue_positions.csv.gz",
      "GSM1_A1_scalefactors_json.json.gz",
      "GSM1_A1_tissue_hires_image.png.gz",
      "GSM1_A1_image.tif.gz",
    ],
    takes: {
      barcodes: "GSM1_A1_barcodes.tsv.gz",
      features: "GSM1_A1_features.tsv.gz",
      matrix: "GSM1_A1_matrix.mtx.gz",
      positions: "GSM1_A1_tissue_positions.csv.gz",
      scale: "GSM1_A1_scalefactors_json.json.gz",
    },
    names: {
      "GSM1_A1_tissue_hires_image.png.gz": "is compressed: unpack it (gunzip)",
      "GSM1_A1_image.tif.gz": "is compressed: unpack it (gunzip)",
    },
  },
  {
    name: "a slide in a scanner's format",
    files: [...BASE, 'slide.ndpi = "II*'],
    takes: FOUND,
    names: { "slide.ndpi": "export the image" },
  },
  {
    name: "upper-case endings, spaces and marks of a second download",
    files: [
      "filtered_feature_bc_matrix (1).h5",
      "spatial/tissue_positions (2).CSV",
      "spatial/scalefactors_json.json",
      "spatial/tissue_hires_image.png = 90x80",
      "My Slide.TIF = 900x800",
    ],
    takes: {
      h5: "filtered_feature_bc_matrix (1).h5",
      positions: "spatial/tissue_positions (2).CSV",
      scale: "spatial/scalefactors_json.json",
      hires: "spatial/tissue_hires_image.png",
      he_image: "My Slide.TIF",
    },
  },
  ...[
    '"tissue" "row" "col"  "imagerow" "imagecol"\\n"AAACAAGTATCTCCCA-1" 1 0 0 5 5\\n',
    "barcode,array_row,array_col,pxl_row_in_fullres,pxl_col_in_fullres\\nAAACAAGTATCTCCCA-1,0,0,5,5\\n",
  ].map((table) => ({
    name: `positions as R and Python write them (${table.slice(0, 8)})`,
    files: [H5, `spatial/tissue_positions.csv = "${table}`],
    takes: { h5: H5, positions: PLACED.positions },
  })),
  {
    name: "tables with names of their own",
    files: [H5, "spots.csv", 'notes.csv = "a,b,c\\n1,2,3\\n', "image.tif"],
    takes: { h5: H5, positions: "spots.csv", he_image: "image.tif" },
  },
  {
    name: "other tables by spot beside positions with a name of their own",
    files: [
      H5,
      'pca.csv = "Barcode,PC-1,PC-2,PC-3,PC-4,PC-5\\nAAACAAGTATCTCCCA-1,1.5,2,3.5,-4,5.5\\n',
      'if.csv = "barcode,in_tissue,channel1_mean,channel1_stdev,channel2_mean,channel2_stdev\\nAAACAAGTATCTCCCA-1,1,9.5,1.5,9.5,1.5\\n',
      'our_spots_list.csv = "AAACAAGTATCTCCCA-1,1,0,0,5.5,5.5\\nAAACACCAATAACTGC-1,0,,,,\\n',
      "image.tif",
    ],
    takes: { h5: H5, positions: "our_spots_list.csv", he_image: "image.tif" },
  },
  {
    name: "counts by cell and a Zarr store instead of counts",
    files: [...SPATIAL, "GSM1_raw_feature_cell_matrix.h5", "sample.zarr.zip"],
    takes: PLACED,
    names: {
      "GSM1_raw_feature_cell_matrix.h5": "counts by cell",
      "sample.zarr.zip": "is not a matrix of counts as Space Ranger writes it",
    },
  },
  {
    name: "labeled cells, and another h5ad",
    files: [...BASE, "reference.h5ad", "results.h5ad"],
    takes: { ...FOUND, reference: "reference.h5ad" },
    names: { "results.h5ad": "only if it is called reference.h5ad" },
  },
  {
    name: "only the unfiltered matrix",
    files: ["raw_feature_bc_matrix.h5", ...SPATIAL],
    takes: { ...PLACED, h5: "raw_feature_bc_matrix.h5" },
  },
  {
    name: "files that are not what their names say",
    files: [
      `${H5} = "<!DOCTYPE html><html></html>`,
      ...SPATIAL,
      "barcodes.tsv.gz",
      'features.tsv.gz = "AAACAAGTATCTCCCA-1\\nAAACACCAATAACTGC-1\\n',
      'image.tif = "hello, this is text',
      'slide.btf = "ZISRAWFILE\\0',
    ],
    takes: { ...PLACED, barcodes: "barcodes.tsv.gz" },
    names: {
      [H5]: "is a web page, not the matrix: the download failed",
      "features.tsv.gz": "holds barcodes, not genes",
      "image.tif": "is a text file, not a TIFF, PNG, or JPEG image",
      "slide.btf": "exported as TIFF (.tif or .btf) from the scanner's or viewer's software",
    },
  },
  {
    name: "bins of three sizes",
    platform: "hd_visium",
    resolution: "16",
    files: [
      ...HD("square_002um"),
      ...HD("square_008um"),
      ...HD("square_016um"),
      "segmented_outputs/filtered_feature_cell_matrix.h5",
      "segmented_outputs/cell_segmentations.geojson",
      "spatial/tissue_hires_image.png = 90x80",
      "slide.btf = 900x800",
    ],
    takes: {
      h5: `binned_outputs/square_016um/${H5}`,
      positions: "binned_outputs/square_016um/spatial/tissue_positions.parquet",
      scale: "binned_outputs/square_016um/spatial/scalefactors_json.json",
      hires: "spatial/tissue_hires_image.png",
      fine_bins: `binned_outputs/square_002um/${H5}`,
      cells: "segmented_outputs/cell_segmentations.geojson",
      he_image: "slide.btf",
    },
    names: {
      "segmented_outputs/filtered_feature_cell_matrix.h5": "counts by cell",
      [`binned_outputs/square_008um/${H5}`]: "other bins than square_016um",
      "binned_outputs/square_016um/raw_feature_bc_matrix.h5": "unfiltered",
    },
  },
  {
    name: "bins in a flat folder",
    platform: "hd_visium",
    resolution: "8",
    files: [H5, "tissue_positions.parquet", "scalefactors_json.json", "he.tif", "square_002um.h5"],
    takes: {
      h5: H5,
      positions: "tissue_positions.parquet",
      scale: "scalefactors_json.json",
      he_image: "he.tif",
      fine_bins: "square_002um.h5",
    },
  },
  {
    name: "bins of a download of GEO",
    platform: "hd_visium",
    resolution: "16",
    files: ["square_002um", "square_008um", "square_016um"].flatMap((bin) =>
      [H5, "tissue_positions.parquet", "scalefactors_json.json"].map((n) => `GSM1_A_${bin}_${n}`),
    ),
    takes: {
      h5: `GSM1_A_square_016um_${H5}`,
      positions: "GSM1_A_square_016um_tissue_positions.parquet",
      scale: "GSM1_A_square_016um_scalefactors_json.json",
      fine_bins: `GSM1_A_square_002um_${H5}`,
    },
  },
  {
    name: "a bin folder moved out of binned_outputs",
    platform: "hd_visium",
    resolution: "8",
    files: within("square_008um", H5, "spatial/tissue_positions.parquet"),
    takes: {
      h5: `square_008um/${H5}`,
      positions: "square_008um/spatial/tissue_positions.parquet",
    },
  },
  {
    name: "bins of another size",
    platform: "hd_visium",
    resolution: "8",
    files: HD("square_016um"),
    fault: "has square_016um, but not square_008um: choose another bin size",
  },
  {
    name: "bins for Visium",
    files: HD("square_008um"),
    fault: "set the platform to HD Visium and a bin size of 8 or 16 µm",
  },
  {
    name: "several capture areas of aggr",
    files: [
      H5,
      'spatial/aggr_tissue_positions.csv = "AAACAAGTATCTCCCA-1,1,0,0,5,5\\nAAACAAGTATCTCCCA-2,1,0,0,7,7\\n',
      "spatial/A/tissue_hires_image.png",
      "spatial/B/tissue_hires_image.png = 70x60",
      "image.tif",
    ],
    fault: "describes 2 capture areas of spaceranger aggr (barcodes end in -1 and -2)",
  },
  {
    name: "tables of Spatial Transcriptomics",
    platform: "st",
    files: [
      'counts.tsv.gz = "\\tABC\\tDEF\\n5x5\\t1\\t2\\n',
      'spot_coordinates.tsv = "x\\ty\\tpixel_x\\tpixel_y\\n5\\t5\\t50\\t50\\n',
      "HE.jpg",
    ],
    takes: { counts: "counts.tsv.gz", coordinates: "spot_coordinates.tsv", he_image: "HE.jpg" },
  },
];
