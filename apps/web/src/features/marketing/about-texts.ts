export const ABOUT_TEXTS = {
  title: "Our Story",
  lead: "Spatial transcriptomics shows where genes are active. But biology happens in cells, and most arrays measure spots. Stipple closes that gap with what every study already has: the counts and the tissue image.",
  missionTitle: "Mission",
  mission:
    "We want every laboratory with spot-based data to see its tissue at single-cell resolution without new experiments, a compute cluster, or giving up control of the data.",
  valuesTitle: "Values",
  values: [
    {
      title: "Show the evidence",
      text: "Every figure states what it measures, on which data, and what it doesn't show.",
    },
    {
      title: "Preserve the counts",
      text: "Counts allocated to cells add up to what the instrument measured. Inferred values are kept separate.",
    },
    {
      title: "Open formats",
      text: "Results come in the formats the field uses, so your work doesn't depend on us.",
    },
    {
      title: "Careful with data",
      text: "Tissue data is sensitive. We keep it for as long as your plan states, then delete it.",
    },
  ],
  impactTitle: "Research impact",
  impact:
    "Cell-level maps show which cells meet at the edge of a tumor, how a tissue is layered, and where rare cell types are. You can revisit archived slides and published Visium data: all you need is the image and the counts.",
  communityTitle: "Community",
  community:
    "We learn from the people who use Stipple. Tell us about your tissue, send us data it handles poorly, or ask for a format you need.",
  contact: "Get in touch",
  services: "See our services",
};
