/** Writes docs/openapi.json from the contract's routes: `npm run openapi`. */
import { writeFile } from "node:fs/promises";
import * as contract from "@stipple/contract";
import * as z from "zod/mini";

type Schema = Record<string, unknown>;

function isRoute(value: unknown): value is contract.Route {
  return typeof value === "object" && value !== null && "method" in value && "answers" in value;
}

function schemaOf(type: z.ZodMiniType, io: "input" | "output"): Schema {
  const { $schema, ...schema } = z.toJSONSchema(type, { io, unrepresentable: "any" });
  return schema;
}

function parameters(type: z.ZodMiniType | undefined, where: "path" | "query"): Schema[] {
  if (!type) return [];
  const { properties = {}, required = [] } = schemaOf(type, "input") as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema,
  }));
}

function operation(name: string, route: contract.Route): Schema {
  const answers = Object.entries(route.answers).map(([status, type]) => [
    status,
    {
      description: type ? "JSON" : "A file",
      content: type
        ? { "application/json": { schema: schemaOf(type, "output") } }
        : { "application/octet-stream": {} },
    },
  ]);
  return {
    operationId: name,
    summary: route.summary,
    security: route.access === "session" ? [{ bearer: [] }] : [],
    parameters: [...parameters(route.params, "path"), ...parameters(route.query, "query")],
    ...(route.body
      ? {
          requestBody: {
            content: { "application/json": { schema: schemaOf(route.body, "input") } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(answers),
      default: {
        description: "Problem details (RFC 9457) with the sentence `error` and a stable `code`",
        content: {
          "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
        },
      },
    },
  };
}

export function openApi(): Schema {
  const paths: Record<string, Schema> = {};
  for (const [name, route] of Object.entries(contract)) {
    if (!isRoute(route)) continue;
    const path = `/api${route.path}`.replaceAll(/:(\w+)/g, "{$1}").replace("*", "{path}");
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(name, route);
  }
  return {
    openapi: "3.1.0",
    info: { title: "Stipple", version: "0.1.0", license: { name: "MIT", identifier: "MIT" } },
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Problem: schemaOf(contract.problem, "output") },
    },
  };
}

if (import.meta.main) {
  const path = new URL("../docs/openapi.json", import.meta.url);
  await writeFile(path, `${JSON.stringify(openApi(), null, 2)}\n`);
}
