import * as z from "zod/mini";
import { ANNOTATION_KINDS, type AnnotationValue } from "../annotations.ts";
import { defineRoute } from "./define.ts";

/** As in a project's annotations; kept in an account, for all of its projects. */
const keptGeneList = ANNOTATION_KINDS.genes;
export type KeptGeneList = AnnotationValue<"genes">;

/** Additive, as are all calls about gene lists. */
export const listGeneLists = defineRoute("GET", "/gene_lists", "session", {
  summary: "The gene lists that are kept in the caller's account, by name.",
  answers: { 200: z.array(keptGeneList) },
});

export const keepGeneList = defineRoute("POST", "/gene_lists", "session", {
  summary: "Keep a gene list in the account, in place of one with this name.",
  body: keptGeneList,
  answers: { 200: z.object({ message: z.string() }) },
});

export const removeGeneList = defineRoute("DELETE", "/gene_lists", "session", {
  summary: "Remove a gene list from the account; projects keep their copies.",
  query: z.pick(keptGeneList, { name: true }),
  answers: { 200: z.object({ message: z.string() }) },
});
