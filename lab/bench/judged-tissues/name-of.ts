import type { JudgedTissue } from "./tissues.ts";

const KINDS: Record<JudgedTissue["kind"], string> = {
  human: "human breast",
  mouse: "mouse brain",
  pbmc: "measured blood cells",
  starmap: "measured cortex cells",
};

/** A tissue's description, including anything unusual about it. */
export function nameOf(tissue: JudgedTissue): string {
  const unusual = [
    tissue.platform === "hd_visium" && `HD ${tissue.resolution ?? 8} µm`,
    tissue.staining === "if" && "IF",
    tissue.sizeUm !== 900 && `${tissue.sizeUm} µm a side`,
    tissue.cellDensity !== 4200 && `${tissue.cellDensity} cells per mm²`,
    tissue.platform === "visium" &&
      tissue.umiPerSpot !== 6000 &&
      `${tissue.umiPerSpot} UMIs a spot`,
    tissue.nGenes !== undefined && `${tissue.nGenes} genes`,
    tissue.umPerPx !== 0.5 && `${tissue.umPerPx} µm per pixel`,
    tissue.imageDifficulty === 0 && "clean image",
    tissue.image !== "own" && `image ${tissue.image}`,
  ].filter((part) => part !== false);
  return [`${KINDS[tissue.kind]} ${tissue.seed}, morphology ${tissue.morphology}`, ...unusual].join(
    ", ",
  );
}
