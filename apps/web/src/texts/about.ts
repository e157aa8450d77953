export const ABOUT_TEXTS = {
  title: "Our Story",
  lead: "Spatial transcriptomics shows where genes are active. But biology happens in cells, and most arrays measure spots. Stipple was built to close that distance with what every study already has: the counts and the tissue image.",
  missionTitle: "Mission",
  mission:
    "We want every laboratory with spot-based data to see its tissue at the level of single cells, without new experiments, without a cluster, and without giving up control over its data.",
  valuesTitle: "Values",
  values: [
    {
      title: "Show the evidence",
      text: "A figure says what it measures, on what data, and what it does not show.",
    },
    {
      title: "Keep what was counted",
      text: "Counts shared among cells add up to what the instrument measured. Inferred values are kept apart.",
    },
    {
      title: "Open formats",
      text: "Results leave in the formats that the field uses. Your work does not depend on us.",
    },
    {
      title: "Careful with data",
      text: "Tissue data is sensitive. It is kept for as long as your plan says, then deleted.",
    },
  ],
  impactTitle: "Research impact",
  impact:
    "Cell-level maps help to ask which cells meet at a tumor's border, how a tissue is layered, or where a rare type hides. Archived slides and published Visium data can be looked at anew, because the image and the counts are all that is needed.",
  communityTitle: "Community",
  community:
    "We learn from the people who use Stipple. Tell us about your tissue, send us data on which it does badly, or ask for a format that you miss.",
  contact: "Get in touch",
  services: "See our services",
};
