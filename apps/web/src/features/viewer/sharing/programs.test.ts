import { describe, expect, it } from "vitest";
import { programs, type ProgramSample } from "./programs.ts";

const sample: ProgramSample = {
  projectName: 'Mouse "brain" 1',
  gene: 'H2-"K1"',
  showsGene: true,
  spotLevel: false,
  hd: true,
};
const codeOf = (id: string, given = sample): string =>
  programs(given)
    .find((program) => program.id === id)!
    .steps.map(({ code }) => code ?? "")
    .join("\n");
const config = (given = sample) => {
  const code = codeOf("vitessce", given);
  return JSON.parse(code.slice(code.indexOf("{")));
};

describe("snippets for other programs", () => {
  it("use the file names of the download", () => {
    for (const { id, steps } of programs(sample)) {
      const text = steps.map((step) => `${step.text} ${step.code ?? ""}`).join(" ");
      expect(text, id).toContain("analysis_results/output");
    }
  });

  it("escape quotes in names", () => {
    expect(codeOf("scanpy")).toContain(String.raw`color=["cell_type", "H2-\"K1\""]`);
    expect(config().name).toBe('Mouse "brain" 1');
    expect(config().coordinationSpace.featureSelection).toEqual({ A: ['H2-"K1"'] });
  });

  it("color Vitessce like the view", () => {
    const byType = config({ ...sample, showsGene: false }).coordinationSpace;
    expect(byType.obsColorEncoding).toEqual({ A: "cellSetSelection" });
    expect(byType).not.toHaveProperty("featureSelection");
    expect(config().coordinationSpace.obsColorEncoding).toEqual({ A: "geneSelection" });
  });

  it("use spots as cells where there are no cells", () => {
    const { options } = config({ ...sample, spotLevel: true }).datasets[0].files[0];
    expect(options.obsSegmentations.path).toBe("shapes/spot_outlines");
    expect(options.obsSets.region).toBe("spot_outlines");
    expect(codeOf("loupe", { ...sample, spotLevel: true })).not.toContain("segmentation");
    expect(codeOf("loupe")).toContain("loupe/cell_segmentations.geojson");
    expect(codeOf("loupe", { ...sample, hd: false })).not.toContain("segmentation");
  });
});
