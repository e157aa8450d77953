import { randomUUID } from "node:crypto";
import { deflateSync } from "node:zlib";
import { OUTPUT_IMAGE } from "@stipple/contract";

/** Number of cells in the simulated results used by interactive view calls. */
export const N_CELLS = 300;

/** Shared by all accounts on a test server. */
const PASSWORD = "secret1";

const SETUP = { platform: "visium", staining: "h_and_e", analysis_type: "basic" };

/** IDs that a call may refer to. */
export interface Ids {
  project: string;
  view: string;
  share: string;
  payment: string;
  session: string;
  passkey: string;
  reference: string;
  version: string;
  study: string;
  studyShare: string;
}
/** How to call a route so that its owner gets a response. */
export interface Row {
  path?: (ids: Ids) => Record<string, string>;
  query?: (ids: Ids) => Record<string, string>;
  body?: (ids: Ids) => unknown;
  /** Whether it names something owned. A stranger must then get the same response as for something nonexistent. */
  names: boolean;
  /** It ends something other calls need, or keeps it busy: fuzzing calls it as a separate user. */
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
/** One bit per cell of the simulated results, all of them set. */
const cells = Buffer.alloc(Math.ceil(N_CELLS / 8), 255).toString("base64");

const someCells = Buffer.alloc(Math.ceil(N_CELLS / 8))
  .fill(255, 0, N_CELLS >> 4)
  .toString("base64");

const inStudy = (more: Partial<Row> = {}): Row => ({
  names: true,
  path: ({ study }) => ({ id: study }),
  ...more,
});
const note = { text: "A fold", x: 1, y: 2 };
/** Two groups of cells. */
const someLabels = deflateSync(
  new Uint8Array(
    Uint16Array.from({ length: N_CELLS }, (_, cell) => (2 * cell < N_CELLS ? 0 : 1)).buffer,
  ),
).toString("base64");

/** How to call each route. A new route needs a row. */
export const MATRIX: Record<string, Row> = {
  changeStudy: inStudy({ body: () => ({ columns: [], samples: [] }), spare: true }),
  compareStudy: inStudy(),
  createStudy: { names: false, body: () => ({ name: "A", project_ids: [] }) },
  deleteStudy: inStudy({ spare: true }),
  listStudies: own,
  readStudy: inStudy(),
  renameStudy: inStudy({ body: () => ({ name: "B" }) }),
  prepareStudyDownload: inStudy({ query: () => ({ part: "h5ad" }) }),
  studyFile: inStudy({ query: () => ({ name: "study.csv" }) }),
  studyQuality: inStudy(),
  studySpace: inStudy({ query: () => ({ of: "cells" }) }),
  studySpacePoints: inStudy({ query: () => ({ of: "cells" }) }),
  studyViews: inStudy(),
  saveSectionLandmarks: inStudy({
    body: ({ project }) => ({ between: [project, project], points: [] }),
  }),
  listStudyShares: inStudy(),
  createStudyShare: inStudy({ body: () => ({ days: 7, note: "" }) }),
  revokeStudyShare: inStudy({
    path: ({ study, studyShare }) => ({ id: study, share: studyShare }),
    spare: true,
  }),
  sharedStudy: link,
  sharedComparison: link,
  sharedSpace: { names: false, query: () => ({ of: "cells" }) },
  sharedSpacePoints: { names: false, query: () => ({ of: "cells" }) },
  sharedStudyFile: { names: false, query: () => ({ name: "study.csv" }) },
  annotationHistory: inPath(),
  detection: inPath(),
  annotationVersions: inPath(),
  changeAnnotations: inPath({
    body: () => ({
      id: randomUUID(),
      changes: [{ id: randomUUID(), kind: "note", value: note, revision: 0 }],
    }),
  }),
  deleteAnnotationVersion: inPath({
    path: ({ project, version }) => ({ id: project, version }),
    spare: true,
  }),
  redoAnnotations: inPath({ body: () => ({ revision: 0 }), spare: true }),
  restoreAnnotationVersion: inPath({
    path: ({ project, version }) => ({ id: project, version }),
    body: () => ({ revision: 0 }),
    spare: true,
  }),
  saveAnnotationVersion: inPath({ body: () => ({ name: randomUUID() }) }),
  undoAnnotations: inPath({ body: () => ({ revision: 0 }), spare: true }),
  visualizationAnnotations: link,
  accountActivity: own,
  accountSecurity: own,
  askLiveExample: own,
  addPasskey: { names: false, body: () => ({ ticket: "x", name: "Mine", response: {} }) },
  cancelSubscription: { names: false, body: () => ({}) },
  cancelWorkflow: {
    names: true,
    body: ({ project }) => ({ project_id: project }),
    spare: true,
  },
  changePassword: {
    names: false,
    spare: true,
    body: () => ({ current_password: PASSWORD, password: "secret2", confirmPassword: "secret2" }),
  },
  configureProject: inPath({
    body: () => ({ project_name: "Renamed", analysis_options: SETUP }),
  }),
  confirmTotp: { names: false, body: () => ({ ticket: "x", code: "000000" }) },
  createCheckoutSession: { names: false, body: () => ({ plan: "Basic Tier" }) },
  createDownloadLink: inQuery(),
  createProject: {
    names: false,
    body: () => ({
      project_name: "Mine",
      analysis_options: SETUP,
    }),
  },
  createSampleProject: own,
  createShare: inPath({ body: () => ({ days: 7, note: "" }) }),
  deleteAccount: { names: false, spare: true, body: () => ({ password: PASSWORD }) },
  deleteProject: inPath({ spare: true }),
  deleteView: inPath({
    path: ({ project, view }) => ({ id: project, view }),
    spare: true,
  }),
  ownFile: inPath({ path: ({ project }) => ({ id: project, slot: "regions" }) }),
  ownFileFindings: inPath(),
  planPreview: { names: false, body: () => ({ plan: "Basic Tier" }) },
  undoDowngrade: own,
  downgradeSubscription: { names: false, body: () => ({ target_tier: "basic" }) },
  downloadOutput: inQuery(),
  downloadParts: inQuery(),
  endOtherSessions: { names: false, spare: true },
  endSession: { names: true, path: ({ session }) => ({ id: session }), spare: true },
  exportAccount: own,
  getImage: inQuery({ path: () => ({ "*": OUTPUT_IMAGE }) }),
  getReport: inQuery(),
  getStatistics: inQuery(),
  health: own,
  ready: own,
  linkedDownload: link,
  keepReference: {
    names: true,
    body: ({ project }) => ({ project_id: project, name: "cells", tissue: "brain" }),
  },
  listProjects: own,
  keepGeneList: { names: false, body: () => ({ name: "T cells", genes: ["CD3E"] }) },
  listGeneLists: own,
  listReferences: own,
  listSessions: own,
  listShares: inPath(),
  login: { names: false, body: () => ({ email: "owner@example.org", password: PASSWORD }) },
  loginCode: { names: false, body: () => ({ ticket: "x", code: "000000" }) },
  lookLiveExample: own,
  logout: { names: false, spare: true },
  newRecoveryCodes: { names: false, body: () => ({ password: "x" }) },
  passkeyLogin: { names: false, body: () => ({ ticket: "x", response: {} }) },
  pieces: inPath(),
  readLabelImage: inPath({ query: () => ({ width: "8", height: "8" }) }),
  reactivateSubscription: own,
  register: {
    names: false,
    body: () => ({
      email: `${randomUUID()}@example.org`,
      password: PASSWORD,
      confirmPassword: PASSWORD,
    }),
  },
  registration: inPath(),
  removePasskey: {
    names: true,
    path: ({ passkey }) => ({ id: passkey }),
    body: () => ({ password: "secret1" }),
    spare: true,
  },
  removeGeneList: { names: false, query: () => ({ name: "T cells" }) },
  removeReference: { names: true, path: ({ reference }) => ({ id: reference }), spare: true },
  removeTotp: { names: false, body: () => ({ password: "x" }) },
  removeUpload: inSlot,
  renameProject: inPath({ body: () => ({ project_name: "Renamed" }) }),
  requestPasswordReset: { names: false, body: () => ({ email: "nobody@example.org" }) },
  resetPassword: {
    names: false,
    body: () => ({ token: "x", password: "secret2", confirmPassword: "secret2" }),
  },
  revokeShare: inPath({
    path: ({ project, share }) => ({ id: project, share }),
    spare: true,
  }),
  queueWorkflow: {
    names: true,
    spare: true,
    body: ({ project }) => ({ project_id: project }),
  },
  runWorkflow: {
    names: true,
    body: ({ project }) => ({ project_id: project, start_step: 0 }),
    spare: true,
  },
  saveLandmarks: inPath({
    body: () => ({
      landmarks: [
        { from: [0, 0], to: [1, 0] },
        { from: [9, 0], to: [10, 0] },
        { from: [0, 9], to: [1, 9] },
      ],
    }),
    spare: true,
  }),
  saveView: inPath({ body: () => ({ name: "Mine", state: {} }) }),
  sendVerification: own,
  splitProject: inPath({ spare: true }),
  startPasskey: { names: false, body: () => ({ password: PASSWORD }) },
  startPasskeyLogin: { names: false, body: () => ({}) },
  startTotp: { names: false, body: () => ({ password: PASSWORD }) },
  startVisualization: inQuery(),
  status: inQuery(),
  takeReference: inPath({ body: ({ reference }) => ({ reference_id: reference }) }),
  workflowChoices: inQuery(),
  workflowPlan: { names: true, body: ({ project }) => ({ project_id: project }) },
  transactionReceipt: { names: true, path: ({ payment }) => ({ id: payment }) },
  transactions: own,
  uploadChunk: inSlot,
  uploadedChunks: inSlot,
  nucleusEdits: inPath(),
  useNucleusEdits: inPath(),
  useAnnotations: inPath(),
  verifyEmail: { names: false, body: () => ({ token: "x" }) },
  verifySubscription: own,
  visualizationClusters: {
    ...link,
    body: () => ({ within: null, features: "rates", resolution: 1 }),
  },
  visualizationDifferential: { ...link, body: () => ({ a: someCells, b: null }) },
  visualizationDifferentialProgress: { ...link, body: () => ({ a: someCells, b: null }) },
  visualizationFile: { ...link, path: () => ({ "*": "cells.xy.f32" }) },
  visualizationGene: { ...link, query: () => ({ name: "Gene1" }) },
  visualizationGroupMarkers: {
    ...link,
    body: () => ({ labels: someLabels, names: ["First", "Second"] }),
  },
  visualizationGroupMeans: {
    ...link,
    body: () => ({ genes: ["Gene1"], by: "type", within: cells }),
  },
  visualizationManifest: link,
  visualizationScore: { ...link, query: () => ({ genes: "Gene1,Gene2" }) },
  visualizationSimilarGenes: { ...link, query: () => ({ name: "Gene1" }) },
  visualizationSpotGene: { ...link, query: () => ({ name: "Gene1" }) },
  visualizationStatistics: link,
  visualizationViews: link,
  workflowQueueStatus: own,
};
