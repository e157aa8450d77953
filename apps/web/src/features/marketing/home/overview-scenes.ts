/**
 * What the overview video says, scene by scene: its captions, and the transcript below it. The times are in
 * captions.vtt, which `npm run overview-video` writes together with the video.
 */
export const OVERVIEW_SCENES = [
  {
    id: "landing",
    text: "Stipple turns the spots of a Visium array into the single cells of the tissue.",
  },
  {
    id: "configuration",
    text: "Name the project, then choose platform, staining, and analysis type.",
  },
  {
    id: "upload",
    text: "Drop the Space Ranger folder. Every file is recognized, checked, and uploaded.",
  },
  {
    id: "processing",
    text: "Eight steps run automatically. Watch them, or close the page and come back.",
  },
  { id: "results", text: "The results: how many cells, how many genes, and both images." },
  { id: "compare", text: "Drag the handle to compare the spots with the cells beneath them." },
  { id: "viewer", text: "The interactive view shows every cell in the tissue image." },
  { id: "zoom", text: "Zoom in until you can see each outline." },
  { id: "gene", text: "Color the cells by any gene." },
  { id: "umap", text: "See tissue and UMAP side by side." },
  { id: "download", text: "Download everything in open formats and continue with your own tools." },
] as const;
