/** What steps pass on. */
export * from "../fields.ts";
export * from "../views.ts";
