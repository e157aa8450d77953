import {
  ANNOTATION_KINDS,
  LARGEST_ANNOTATION_BYTES,
  type AnnotationKind,
} from "@stipple/contract/annotations";
import { ApiError } from "../http/api-error.ts";
import { judged, schemaFault } from "../http/request-faults.ts";

export interface AskedChange {
  id: string;
  kind: AnnotationKind;
  value: Record<string, unknown> | null;
  revision: number;
}

/** A change whose value is as its kind says. */
export interface CheckedChange extends AskedChange {
  /** The value as JSON, "null" for none. */
  text: string;
}

/** In JSON: what PostgreSQL cannot read again, U+0000 and lone surrogates. */
const UNREADABLE = /(?:^|[^\\])(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The changes with values as their kinds say. Throws invalid_request or upload_too_large, and names the item. */
export function checkedChanges(changes: readonly AskedChange[]): CheckedChange[] {
  const ids = new Set(changes.map(({ id }) => id));
  if (ids.size < changes.length) {
    throw new ApiError("invalid_request", "One request can change each annotation only once.");
  }
  return changes.map((change) => ({ ...change, ...checkedValue(change) }));
}

function checkedValue({ id, kind, value }: AskedChange): Pick<CheckedChange, "value" | "text"> {
  if (value === null) return { value, text: "null" };
  const parsed = judged(ANNOTATION_KINDS[kind], value);
  if (!parsed.success) {
    const { message } = schemaFault(parsed.error.issues[0], value);
    throw new ApiError(
      "invalid_request",
      `The annotation “${shortened(id)}” (${kind}) is not valid: ${message.replace(/^[^:]*: /, "")}`,
    );
  }
  const text = JSON.stringify(parsed.data);
  if (UNREADABLE.test(text)) {
    throw new ApiError(
      "invalid_request",
      `The annotation “${shortened(id)}” (${kind}) has a null character or half of a character: remove it.`,
    );
  }
  if (Buffer.byteLength(text) > LARGEST_ANNOTATION_BYTES) {
    throw new ApiError(
      "upload_too_large",
      "One annotation is larger than 8 MB. Split it, or draw it with fewer corners.",
    );
  }
  return { value: parsed.data, text };
}

function shortened(id: string): string {
  return id.length > 60 ? `${id.slice(0, 59)}…` : id;
}
