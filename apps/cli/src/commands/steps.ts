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

type Schema = z.core.JSONSchema.JSONSchema;

const schemaOf = ({ params }: StepDefinition): Schema => z.toJSONSchema(params, { io: "input" });

function schemas(steps: readonly StepDefinition[]): unknown {
  return steps.map((step) => {
    const { number, id, name, weight } = step;
    return { number, id, name, weight, parameters: schemaOf(step) };
  });
}

function inWords(steps: readonly StepDefinition[]): string {
  const lines = steps.flatMap((step) => [
    `${step.number} ${step.name}`,
    ...parametersBelow(step.id, schemaOf(step)),
  ]);
  return `${lines.join("\n")}\n`;
}

/** A line for each parameter, by the name that --set takes, even for those that belong to others. */
function parametersBelow(path: string, { properties, ...schema }: Schema): string[] {
  if (!properties) {
    return [`    ${path} = ${JSON.stringify(schema.default)}   ${schema.description ?? ""}`];
  }
  return Object.entries(properties).flatMap(([name, part]) =>
    parametersBelow(`${path}.${name}`, part as Schema),
  );
}
