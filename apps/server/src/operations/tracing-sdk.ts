import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Tracing, TracingSettings } from "./tracing.ts";

/** Sends spans to a collector by OTLP over HTTP, in batches. Loaded only where there is one. */
export function traceTo({ endpoint, share }: TracingSettings, processName: string): Tracing {
  const random = new RandomIdGenerator();
  let given: { traceId?: string | undefined; id?: string | undefined } = {};
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": `stipple-${processName}`,
      "process.pid": process.pid,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: {
      generateTraceId: () => given.traceId ?? random.generateTraceId(),
      generateSpanId: () => given.id ?? random.generateSpanId(),
    },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` }),
      }),
    ],
  });
  const tracer = provider.getTracer("stipple");
  return {
    isOn: true,
    begin(name, { parent, traceId, id, start, kind } = {}) {
      given = { traceId, id };
      const span = tracer.startSpan(
        name,
        {
          kind: kind === "server" ? SpanKind.SERVER : SpanKind.INTERNAL,
          ...(start ? { startTime: start } : {}),
        },
        below(parent),
      );
      given = {};
      const { traceId: mine, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${mine}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
        end({ attributes, failure, at } = {}) {
          if (attributes) span.setAttributes(attributes);
          if (failure !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
          }
          span.end(at);
        },
      };
    },
    [Symbol.asyncDispose]: () => provider.shutdown(),
  };
}

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** A context in which new spans are children of the named one, or have no parent if the name is invalid. */
function below(parent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(parent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
