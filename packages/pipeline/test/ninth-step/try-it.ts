// Runs in the copy of the code that has the ninth step, and reports the effects.
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERRORS, LAST_STEP, overallPercent, STEP_NUMBERS, workflowStatus } from "@stipple/contract";
import { openAnalysis } from "@stipple/pipeline";
import { analysisSettings } from "@stipple/pipeline/settings";
import { steps } from "@stipple/pipeline/steps";
import { readResult } from "@stipple/pipeline/results";
import * as z from "zod";

const folder = await mkdtemp(join(tmpdir(), "ninth-"));
// Enough for the files to be recognized; no step reads them.
await writeFile(
  join(folder, "tissue_positions.csv"),
  "AAACAAGTATCTCCCA-1,1,0,0,10,10\nAAACACCAATAACTGC-1,1,0,2,10,30\n",
);
await writeFile(
  join(folder, "filtered_feature_bc_matrix.h5"),
  Buffer.concat([Buffer.from("\x89HDF\r\n\x1a\n", "latin1"), Buffer.alloc(64)]),
);
const ran: number[] = [];
const analysis = openAnalysis(
  steps.map((step) =>
    step.number === LAST_STEP
      ? step
      : {
          ...step,
          run: async ({ write }) => {
            ran.push(step.number);
            if (step.writes.includes("cells/cluster")) {
              await write("cells/cluster", Int32Array.of(0, 1, 1, 1, 2, 2));
            }
          },
        },
  ),
);
const request = {
  input: folder,
  results: join(folder, "results"),
  settings: analysisSettings.parse({}),
  threads: 1,
  signal: new AbortController().signal,
};
await analysis.run(request);
const sizes = [...(await readResult(request.results, "clusters/size" as never))];
const parameters = { "niche-analysis": { least: 2 } };
console.log(
  JSON.stringify({
    steps: STEP_NUMBERS,
    ran,
    sizes,
    replanned: await analysis.plan(LAST_STEP, { ...request, parameters }),
    anotherTissue: await analysis.plan(LAST_STEP, {
      ...request,
      settings: analysisSettings.parse({ tissue: "brain" }),
    }),
    percent: [overallPercent(STEP_NUMBERS.slice(0, -1)), overallPercent(STEP_NUMBERS)],
    refusal: ERRORS.start_step_invalid.error,
    statusKeys: Object.keys(workflowStatus.shape.output_files.shape),
    form: z.toJSONSchema(steps[LAST_STEP].params),
  }),
);
