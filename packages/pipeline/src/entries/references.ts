/** References of labeled cells. */
export * from "../reference/condense-reference.ts";
export * from "../reference/reference-outline.ts";
