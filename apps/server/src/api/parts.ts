import type { FastifyInstance } from "fastify";
import { geneListRoutes } from "../accounts/gene-lists.ts";
import { accountRoutes } from "../accounts/routes.ts";
import { securityRoutes } from "../accounts/security-routes.ts";
import { signInRoutes } from "../accounts/sign-in-routes.ts";
import { annotationRoutes } from "../annotations/routes.ts";
import { auditRoutes } from "../audit/routes.ts";
import { billingRoutes } from "../billing/routes.ts";
import type { Context } from "../context.ts";
import { liveExampleRoutes } from "../live-example/routes.ts";
import { projectRoutes } from "../projects/routes.ts";
import { referenceRoutes } from "../uploads/reference-routes.ts";
import { resultRoutes } from "../results/routes.ts";
import { sampleRoutes } from "../sample/routes.ts";
import { studyRoutes } from "../studies/routes.ts";
import { uploadRoutes } from "../uploads/routes.ts";
import { visualizationRoutes } from "../visualization/routes.ts";
import { workflowRoutes } from "../runs/routes.ts";
import { healthRoutes } from "./health.ts";
import type { Mount } from "../http/route-adapter.ts";

/** Mounts the routes of one part of the product. `app` is for what the contract does not describe (webhooks). */
export type Part = (mount: Mount, context: Context, app: FastifyInstance) => void | Promise<void>;

/** The parts of the API. A new part is a folder with a routes.ts and a line here. */
export const parts: readonly Part[] = [
  healthRoutes,
  accountRoutes,
  signInRoutes,
  securityRoutes,
  auditRoutes,
  billingRoutes,
  projectRoutes,
  sampleRoutes,
  uploadRoutes,
  workflowRoutes,
  resultRoutes,
  visualizationRoutes,
  annotationRoutes,
  studyRoutes,
  geneListRoutes,
  liveExampleRoutes,
  referenceRoutes,
];
