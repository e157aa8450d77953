import { randomUUID } from "node:crypto";
import { OUTPUT_IMAGE } from "@stipple/contract";

/** Cells of the simulated results that calls of the interactive view look at. */
export const N_CELLS = 300;

/** What a call names. */
export interface Ids {
  project: string;
  view: string;
  share: string;
  payment: string;
}
/** How a route is called so that its owner gets an answer. */
export interface Row {
  path?: (ids: Ids) => Record<string, string>;
  query?: (ids: Ids) => Record<string, string>;
  body?: (ids: Ids) => unknown;
  /** Whether it names something of a person's; then a stranger gets what somebody gets who names nothing that is. */
  names: boolean;
  /** It ends what others need, or keeps it busy: calls that change at random make it of a person who has nothing else. */
  spare?: boolean;
}
const own: Row = { names: false };
const inQuery = (more: Partial<Row> = {}): Row => ({
  names: true,
  query: ({ project }) => ({ project_id: project }),
  ...more,
});
const inPath = (more: Partial<Row> = {}): Row => ({
  names: true,
  path: ({ project }) => ({ id: project }),
  ...more,
});
const slot = { path: () => ({ group: "spatial_11" }) };
const inSlot = inQuery({
  ...slot,
  query: ({ project }) => ({ project_id: project, type: "scale" }),
});
const link: Row = { names: false };
/** One bit a cell of the simulated results, all of them set. */
const cells = Buffer.alloc(Math.ceil(N_CELLS / 8), 255).toString("base64");

/** How each route is called. A new route needs a row. */
export const MATRIX: Record<string, Row> = {
  accountActivity: own,
  cancelSubscription: { names: false, body: () => ({}) },
  cancelWorkflow: {
    names: true,
    body: ({ project }) => ({ project_id: project }),
    spare: true,
  },
  changePassword: {
    names: false,
    body: () => ({ current_password: "x", password: "secret2", confirmPassword: "secret2" }),
  },
  createCheckoutSession: { names: false, body: () => ({ plan: "Basic Tier" }) },
  createDownloadLink: inQuery(),
  createProject: {
    names: false,
    body: () => ({
      project_name: "Mine",
      analysis_options: { platform: "visium", staining: "h_and_e", analysis_type: "basic" },
    }),
  },
  createSampleProject: own,
  createShare: inPath({ body: () => ({ days: 7, note: "" }) }),
  deleteAccount: { names: false, body: () => ({ password: "x" }) },
  deleteProject: inPath({ spare: true }),
  deleteView: inPath({
    path: ({ project, view }) => ({ id: project, view }),
    spare: true,
  }),
  downgradeSubscription: { names: false, body: () => ({ target_tier: "basic" }) },
  downloadOutput: inQuery(),
  exportAccount: own,
  getImage: inQuery({ path: () => ({ "*": OUTPUT_IMAGE }) }),
  getReport: inQuery(),
  getStatistics: inQuery(),
  health: own,
  ready: own,
  linkedDownload: link,
  listProjects: own,
  listShares: inPath(),
  login: { names: false, body: () => ({ email: "nobody@example.org", password: "x" }) },
  logout: { names: false, spare: true },
  reactivateSubscription: own,
  register: {
    names: false,
    body: () => ({
      email: `${randomUUID()}@example.org`,
      password: "secret1",
      confirmPassword: "secret1",
    }),
  },
  removeUpload: inSlot,
  requestPasswordReset: { names: false, body: () => ({ email: "nobody@example.org" }) },
  resetPassword: {
    names: false,
    body: () => ({ token: "x", password: "secret2", confirmPassword: "secret2" }),
  },
  revokeShare: inPath({
    path: ({ project, share }) => ({ id: project, share }),
    spare: true,
  }),
  runWorkflow: {
    names: true,
    body: ({ project }) => ({ project_id: project, start_step: 0 }),
    spare: true,
  },
  saveView: inPath({ body: () => ({ name: "Mine", state: {} }) }),
  startVisualization: inQuery(),
  status: inQuery(),
  workflowChoices: inQuery(),
  transactionReceipt: { names: true, path: ({ payment }) => ({ id: payment }) },
  transactions: own,
  uploadChunk: inSlot,
  uploadedChunks: inSlot,
  verifySubscription: own,
  visualizationDifferential: { ...link, body: () => ({ a: "//8=", b: null }) },
  visualizationDifferentialProgress: { ...link, body: () => ({ a: "//8=", b: null }) },
  visualizationFile: { ...link, path: () => ({ "*": "cells.xy.f32" }) },
  visualizationGene: { ...link, query: () => ({ name: "Gene1" }) },
  visualizationGroupMeans: {
    ...link,
    body: () => ({ genes: ["Gene1"], by: "type", within: cells }),
  },
  visualizationManifest: link,
  visualizationScore: { ...link, query: () => ({ genes: "Gene1,Gene2" }) },
  visualizationSpotGene: { ...link, query: () => ({ name: "Gene1" }) },
  visualizationStatistics: link,
  visualizationViews: link,
  workflowQueueStatus: own,
};
