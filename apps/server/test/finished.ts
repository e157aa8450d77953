import { onlySettings, resultKey, steps } from "@stipple/pipeline";
import { choicesOf } from "../src/projects/choices.ts";
import { runSettings } from "../src/projects/run-settings.ts";
import { knownInputs } from "../src/runs/step/step-needs.ts";
import { publishFiles } from "./published.ts";
import type { TestServer } from "./server.ts";

/** Marks every step done, under the pipeline's own keys; step n takes n minutes. */
export async function finish(server: TestServer, project: string): Promise<void> {
  const { database, outputs, uploads, projects } = server.context;
  const { user_id: userId } = await database.db
    .selectFrom("projects")
    .select("user_id")
    .where("id", "=", project)
    .executeTakeFirstOrThrow();
  const owned = await projects.owned(userId, project);
  const inputs = await uploads.inputs(project);
  const choices = await choicesOf(server.context, project);
  const settings = runSettings({ ...owned, choices }, inputs);
  const { digests } = await knownInputs({ input: "input", inputs, settings });
  for (const step of steps) {
    const records = await outputs.steps(project);
    const manifests = steps.map(({ number }) => records.find((one) => one.step === number) ?? null);
    const { parameters } = choices;
    await publishFiles(
      server,
      project,
      step.number,
      { [`step${step.number}_output/a.txt`]: "a" },
      {
        key: resultKey(step, { settings, parameters, inputs: digests, manifests }),
        fields: Object.fromEntries(step.writes.map((field) => [field, `${field} as it is`])),
        settings: { ...onlySettings(settings, step.settings) },
        seconds: 60 * step.number,
      },
    );
  }
}
