export const DOWNLOAD_TEXTS = {
  title: "All samples in one file",
  text: "The cells of all samples with the columns of the table. A file is written when you ask for it, and kept for a week or until a sample changes.",
  parts: {
    h5ad: {
      title: "AnnData (h5ad)",
      text: "Counts and rates of all cells, for scanpy and squidpy",
    },
    spatialdata: {
      title: "SpatialData (Zarr)",
      text: "Images, outlines, and tables, side by side, for spatialdata and napari",
    },
    seurat: {
      title: "Seurat",
      text: "One object with a field of view for each sample, for R",
    },
    report: { title: "Report", text: "Quality and differences, as one HTML file" },
  },
  action: "Download",
  download: (title: string): string => `Download ${title} of all samples`,
  preparing:
    "Writing the file… With many cells this takes minutes; the download then starts by itself while this page is open.",
  started: (name: string): string => `${name} is being downloaded.`,
  unsaved: "Save the table to download it with the samples.",
  refused: "No file",
};
