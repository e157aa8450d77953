/** Parameters of steps, and what results depend on. */
export * from "../engine/parameters.ts";
export * from "../engine/result-key.ts";
export * from "../engine/retired-choices.ts";
export * from "../engine/value-fault.ts";
