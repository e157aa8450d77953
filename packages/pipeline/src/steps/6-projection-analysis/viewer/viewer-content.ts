import type { Matrix } from "@stipple/numerics/matrices";
import { readCellProteins } from "../../../model/cell-proteins.ts";
import { domainGroups, spotClusterGroups } from "../../../model/groups.ts";
import type { TissueImage } from "../../../readers/images/tissue-image.ts";
import type { StepContext } from "../../../step.ts";
import type { GroupedSample } from "../read-sample.ts";
import type { SpaceResult } from "../spatial-statistics/analyze-in-space.ts";
import type { ViewerContent } from "./write-viewer.ts";

/** What the interactive view shows of a sample: what has been computed, and what earlier steps wrote. */
export async function viewerContent(
  context: StepContext,
  sample: GroupedSample,
  computed: { image: TissueImage | null; umap: Promise<Matrix>; space: SpaceResult | null },
): Promise<ViewerContent> {
  const { read } = context;
  const { xy, polygons, typeOf, clusterOf, observed } = sample;
  const { image, umap, space } = computed;
  const spotClusterOf = await read("spots/cluster");
  return {
    image,
    fluorescence: context.settings.staining === "if",
    facts: sample.image,
    scale: sample.scale,
    types: sample.types,
    clusters: sample.clusters,
    domains: domainGroups(space?.statistics.domains ?? null),
    spotClusters: spotClusterGroups(spotClusterOf),
    counts: sample.counts,
    cells: {
      ...{ xy, umap, polygons, typeOf, clusterOf, observed },
      domainOf: space?.domainOf ?? null,
      nuclei: await read("nuclei/polygon"),
      evidence: await read("cells/evidence"),
      imageQuality: await read("cells/image_quality"),
      areaUm2: await read("cells/area_um2"),
      nucleusAreaUm2: await read("cells/nucleus_area_um2"),
      confidence: await read("cells/confidence"),
      typeMargin: await read("cells/type_margin"),
      rateCv: await read("cells/rate_cv"),
    },
    spots: {
      xy: await read("spots/xy"),
      array: await read("spots/array"),
      clusterOf: spotClusterOf,
      totalCounts: await read("spots/total_counts"),
    },
    proteins: await readCellProteins(context),
    genes: {
      names: sample.genes,
      reliable: sample.reliable,
      heldoutPcc: await read("genes/heldout_pcc"),
      rateCv: await read("genes/rate_cv"),
      rateSource: await read("genes/rate_source"),
      unassigned: await read("genes/unassigned"),
    },
  };
}
