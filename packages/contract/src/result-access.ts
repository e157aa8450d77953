import type { Route } from "./routes/define.ts";
import * as routes from "./routes/index.ts";

/**
 * What a call does with the data of a project's results.
 *
 * - `none`: hands out none; it may name them (sizes, dates, the verdict's grade).
 * - `seen`: what a page draws.
 * - `taken`: files to keep.
 *
 * | results are | trial                 | ended trial | plan | ended plan           |
 * | ----------- | --------------------- | ----------- | ---- | -------------------- |
 * | seen        | yes                   | trial_ended | yes  | subscription_expired |
 * | taken       | download_not_in_trial | trial_ended | yes  | subscription_expired |
 *
 * The plan is that of the results' owner, whoever opens a link. The server asks this table before every call
 * (docs/decisions/0108).
 */
export type ResultUse = "none" | "seen" | "taken";

type RouteName = {
  [Name in keyof typeof routes]: (typeof routes)[Name] extends Route ? Name : never;
}[keyof typeof routes];

/** Every call of the API has a line; the compiler asks for that of a new one. */
export const RESULT_ACCESS = {
  createDownloadLink: "taken",
  downloadOutput: "taken",
  linkedDownload: "taken",
  prepareStudyDownload: "taken",
  sharedStudyFile: "taken",
  studyFile: "taken",
  compareStudy: "seen",
  createShare: "seen",
  createStudyShare: "seen",
  detection: "seen",
  getImage: "seen",
  getReport: "seen",
  getStatistics: "seen",
  sharedComparison: "seen",
  sharedSpace: "seen",
  sharedSpacePoints: "seen",
  sharedStudy: "seen",
  startVisualization: "seen",
  studyQuality: "seen",
  studySpace: "seen",
  studySpacePoints: "seen",
  studyViews: "seen",
  visualizationAnnotations: "seen",
  visualizationClusters: "seen",
  visualizationDifferential: "seen",
  visualizationDifferentialProgress: "seen",
  visualizationFile: "seen",
  visualizationGene: "seen",
  visualizationGroupMarkers: "seen",
  visualizationGroupMeans: "seen",
  visualizationManifest: "seen",
  visualizationScore: "seen",
  visualizationSimilarGenes: "seen",
  visualizationSpotGene: "seen",
  visualizationStatistics: "seen",
  visualizationViews: "seen",
  accountActivity: "none",
  accountSecurity: "none",
  addPasskey: "none",
  annotationHistory: "none",
  annotationVersions: "none",
  askLiveExample: "none",
  cancelSubscription: "none",
  cancelWorkflow: "none",
  changeAnnotations: "none",
  changePassword: "none",
  changeStudy: "none",
  configureProject: "none",
  confirmTotp: "none",
  createCheckoutSession: "none",
  createProject: "none",
  createSampleProject: "none",
  createStudy: "none",
  deleteAccount: "none",
  deleteAnnotationVersion: "none",
  deleteProject: "none",
  deleteStudy: "none",
  deleteView: "none",
  downgradeSubscription: "none",
  downloadParts: "none",
  endOtherSessions: "none",
  endSession: "none",
  exportAccount: "none",
  health: "none",
  keepGeneList: "none",
  keepReference: "none",
  listProjects: "none",
  listGeneLists: "none",
  listReferences: "none",
  listSessions: "none",
  listShares: "none",
  listStudies: "none",
  listStudyShares: "none",
  login: "none",
  loginCode: "none",
  logout: "none",
  lookLiveExample: "none",
  newRecoveryCodes: "none",
  passkeyLogin: "none",
  pieces: "none",
  ownFile: "none",
  ownFileFindings: "none",
  nucleusEdits: "none",
  planPreview: "none",
  queueWorkflow: "none",
  reactivateSubscription: "none",
  readLabelImage: "none",
  readStudy: "none",
  ready: "none",
  redoAnnotations: "none",
  register: "none",
  registration: "none",
  removePasskey: "none",
  removeGeneList: "none",
  removeReference: "none",
  removeTotp: "none",
  removeUpload: "none",
  renameProject: "none",
  renameStudy: "none",
  requestPasswordReset: "none",
  resetPassword: "none",
  restoreAnnotationVersion: "none",
  revokeShare: "none",
  revokeStudyShare: "none",
  runWorkflow: "none",
  saveAnnotationVersion: "none",
  saveLandmarks: "none",
  saveSectionLandmarks: "none",
  saveView: "none",
  sendVerification: "none",
  splitProject: "none",
  startPasskey: "none",
  startPasskeyLogin: "none",
  startTotp: "none",
  status: "none",
  takeReference: "none",
  transactionReceipt: "none",
  transactions: "none",
  undoAnnotations: "none",
  undoDowngrade: "none",
  uploadChunk: "none",
  uploadedChunks: "none",
  useNucleusEdits: "none",
  useAnnotations: "none",
  verifyEmail: "none",
  verifySubscription: "none",
  workflowChoices: "none",
  workflowPlan: "none",
  workflowQueueStatus: "none",
} as const satisfies Record<RouteName, ResultUse>;

/** A route that hands out data of results. */
export type ResultRoute = {
  [Name in RouteName]: (typeof RESULT_ACCESS)[Name] extends "none" ? never : (typeof routes)[Name];
}[RouteName];

const USES = new Map<Route, ResultUse>(
  Object.entries(RESULT_ACCESS).map(([name, use]) => [routes[name as RouteName], use]),
);

/** What a route does with results. Throws for a route that the table does not know. */
export function resultUse(route: Route): ResultUse {
  const use = USES.get(route);
  if (!use) throw new Error(`${route.method} ${route.path} has no line in RESULT_ACCESS`);
  return use;
}
