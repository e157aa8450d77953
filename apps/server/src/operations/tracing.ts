/** A span's place in its trace, and its start time if it is not now. */
export interface SpanPlace {
  /** The span above it, as a `traceparent` header names it. */
  parent?: string | undefined;
  /** Its own ids (32 and 16 hexadecimal digits), where others name it before it is written; random otherwise. */
  traceId?: string;
  id?: string;
  start?: Date | undefined;
  kind?: "server" | "internal";
}

export type Attributes = Record<string, string | number | boolean>;

export interface OpenSpan {
  /** Its name for child spans; undefined if nothing is traced. */
  readonly traceparent: string | undefined;
  end(result?: { attributes?: Attributes; failure?: string | undefined; at?: Date }): void;
}

/** Spans for an OpenTelemetry collector. Without one nothing is loaded, kept or sent. */
export interface Tracing extends AsyncDisposable {
  readonly isOn: boolean;
  begin(name: string, place?: SpanPlace): OpenSpan;
}

const NO_SPAN: OpenSpan = { traceparent: undefined, end: () => undefined };
const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => NO_SPAN,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

export interface TracingSettings {
  /** The collector's address. */
  endpoint: string;
  /** Share, 0 to 1, of requests to trace among those that the caller does not already trace. */
  share: number;
}

export async function openTracing(
  settings: TracingSettings | undefined,
  processName: string,
): Promise<Tracing> {
  if (!settings) return NO_TRACING;
  const { traceTo } = await import("./tracing-sdk.ts");
  return traceTo(settings, processName);
}

/** A run's origin, as stored in its row. */
export interface RunOrigin {
  id: string;
  traceparent: string | null;
}

/**
 * Places of a run's spans. Their ids are derived from the run's, so that any worker can write any of them: a run may
 * outlive the worker that started it.
 */
export function placesOfRun({ id, traceparent }: RunOrigin): {
  queue: SpanPlace;
  run: SpanPlace;
  step: SpanPlace;
} {
  const digits = id.replaceAll("-", "");
  const [queueId, runId] = [digits.slice(0, 16), digits.slice(16)];
  const [, traceId = digits, , flags = "01"] = traceparent?.split("-") ?? [];
  const named = (span: string): string => `00-${traceId}-${span}-${flags}`;
  return {
    queue: { traceId, id: queueId, parent: traceparent ?? undefined },
    run: { id: runId, parent: named(queueId) },
    step: { parent: named(runId) },
  };
}
