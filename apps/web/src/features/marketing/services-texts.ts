export interface Service {
  title: string;
  text: string;
}

export const SERVICES_TEXTS = {
  title: "Services",
  text: "The platform handles routine analyses; our team does the rest.",
  spatialTitle: "Spatial transcriptomics",
  bioinformaticsTitle: "Bioinformatics services",
  ctaTitle: "Not sure what you need?",
  ctaText: "Tell us about your samples and your question.",
  cta: "Contact Us",
};

export const SPATIAL_SERVICES: readonly Service[] = [
  {
    title: "AI Cell Detection",
    text: "Nuclei and cells found in H&E and IF images at full resolution.",
  },
  {
    title: "Spatial Analysis",
    text: "Cell types, domains, neighborhoods, and expression, mapped in the tissue.",
  },
  {
    title: "Visualization",
    text: "Interactive views of tissue, cells, and genes, and figures for publication.",
  },
  {
    title: "Data Export",
    text: "AnnData, SpatialData, Seurat, Loupe, and QuPath files, tables, and figures.",
  },
];

export const BIOINFORMATICS_SERVICES: readonly Service[] = [
  { title: "RNA-seq Analysis", text: "From reads to differential expression and pathways." },
  {
    title: "Single-cell RNA-seq Analysis",
    text: "Quality control, integration, annotation, and trajectories.",
  },
  {
    title: "Genomics Analysis",
    text: "Whole-genome and exome data, from alignment to interpretation.",
  },
  {
    title: "Variant Analysis",
    text: "Calling, filtering, and annotation of germline and somatic variants.",
  },
  { title: "Neoantigen Analysis", text: "Candidate peptides from tumor variants and HLA types." },
  {
    title: "ATAC-seq Analysis",
    text: "Open chromatin: peaks, motifs, and differential accessibility.",
  },
];
