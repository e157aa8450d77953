import type { Command } from "commander";
import type { StepDefinition } from "@stipple/pipeline";
import * as z from "zod";

export function addSteps(program: Command): void {
  program
    .command("steps")
    .description("list the steps and the parameters that --set can change")
    .option("--json", "print JSON Schema")
    .action(async ({ json }: { json?: boolean }) => {
      const { steps } = await import("@stipple/pipeline/steps");
      process.stdout.write(json ? `${JSON.stringify(schemas(steps), null, 2)}\n` : inWords(steps));
    });
}

function schemas(steps: readonly StepDefinition[]): unknown {
  return steps.map(({ number, id, name, weight, params }) => ({
    number,
    id,
    name,
    weight,
    parameters: z.toJSONSchema(params, { io: "input" }),
  }));
}

function inWords(steps: readonly StepDefinition[]): string {
  const lines = steps.flatMap(({ number, id, name, params }) => [
    `${number} ${name}`,
    ...Object.entries(params.shape).map(([parameter, schema]) => {
      const { description = "" } = schema as z.ZodType;
      const normal = JSON.stringify((schema as z.ZodType).parse(undefined));
      return `    ${id}.${parameter} = ${normal.length > 40 ? "…" : normal}   ${description}`;
    }),
  ]);
  return `${lines.join("\n")}\n`;
}
