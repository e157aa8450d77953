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

/** What the rest of a path is called, which the contract writes as `*`. */
const REST = { name: "path", in: "path", required: true, schema: { type: "string" } };

/** Calls that take a form instead of JSON, and its fields: a file is sent as one chunk or several. */
const FORMS: readonly string[] = ["uploadChunk", "readLabelImage"];
const CHUNK = {
  type: "object",
  properties: {
    file: { type: "string", format: "binary", description: "Bytes of the chunk; its file name" },
    chunk: { type: "integer", minimum: 0, description: "Index of the chunk" },
    chunks: { type: "integer", minimum: 1, description: "Number of chunks of the file" },
    sha256: { type: "string", description: "Hex SHA-256 of the chunk" },
    file_sha256: { type: "string", description: "Hex SHA-256 of all chunks' hex SHA-256s" },
  },
  required: ["file", "chunk", "chunks"],
};

function requestBody(name: string, { body }: contract.Route): Schema {
  if (FORMS.includes(name)) {
    const content = { "multipart/form-data": { schema: CHUNK } };
    return { requestBody: { required: true, content } };
  }
  if (!body) return {};
  const required = !body.safeParse(undefined).success;
  const content = { "application/json": { schema: schemaOf(body, "input") } };
  return { requestBody: { required, content } };
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
      content: type ? { "application/json": { schema: schemaOf(type, "output") } } : { "*/*": {} },
    },
  ]);
  return {
    operationId: name,
    summary: route.summary,
    security: route.access === "session" ? [{ bearer: [] }] : [],
    parameters: [
      ...parameters(route.params, "path"),
      ...(route.path.endsWith("*") ? [REST] : []),
      ...parameters(route.query, "query"),
    ],
    ...requestBody(name, route),
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
