import type { Migration } from "kysely/migration";
import * as accountsProjects from "./0001-accounts-projects.ts";
import * as runs from "./0002-runs.ts";
import * as billing from "./0003-billing.ts";
import * as accountCare from "./0004-account-care.ts";
import * as sharing from "./0005-sharing.ts";
import * as objects from "./0006-objects.ts";
import * as outputs from "./0007-outputs.ts";
import * as leases from "./0008-leases.ts";
import * as clockDeletions from "./0009-clock-deletions.ts";
import * as runChoices from "./0010-run-choices.ts";
import * as countedSamples from "./0011-counted-samples.ts";
import * as auditLog from "./0012-audit-log.ts";
import * as runOrigins from "./0013-run-origins.ts";
import * as signingIn from "./0014-signing-in.ts";
import * as holds from "./0015-holds.ts";
import * as scheduledTier from "./0016-scheduled-tier.ts";
import * as yieldedAnalyses from "./0017-yielded-analyses.ts";
import * as damagedObjects from "./0018-damaged-objects.ts";
import * as annotations from "./0019-annotations.ts";
import * as studies from "./0020-studies.ts";
import * as studyFindings from "./0021-study-findings.ts";
import * as studyLandmarks from "./0022-study-landmarks.ts";
import * as waitingRuns from "./0023-waiting-runs.ts";
import * as geneLists from "./0024-gene-lists.ts";
import * as studyObjects from "./0025-study-objects.ts";
import * as studyLinks from "./0026-study-links.ts";
import * as studyMakings from "./0027-study-makings.ts";
import * as secondStepPassword from "./0028-second-step-password.ts";

/** Every migration in order. A new one is a numbered file and a line here; a released one never changes. */
export const migrations: Record<string, Migration> = {
  "0001-accounts-projects": accountsProjects,
  "0002-runs": runs,
  "0003-billing": billing,
  "0004-account-care": accountCare,
  "0005-sharing": sharing,
  "0006-objects": objects,
  "0007-outputs": outputs,
  "0008-leases": leases,
  "0009-clock-deletions": clockDeletions,
  "0010-run-choices": runChoices,
  "0011-counted-samples": countedSamples,
  "0012-audit-log": auditLog,
  "0013-run-origins": runOrigins,
  "0014-signing-in": signingIn,
  "0015-holds": holds,
  "0016-scheduled-tier": scheduledTier,
  "0017-yielded-analyses": yieldedAnalyses,
  "0018-damaged-objects": damagedObjects,
  "0019-annotations": annotations,
  "0020-studies": studies,
  "0021-study-findings": studyFindings,
  "0022-study-landmarks": studyLandmarks,
  "0023-waiting-runs": waitingRuns,
  "0024-gene-lists": geneLists,
  "0025-study-objects": studyObjects,
  "0026-study-links": studyLinks,
  "0027-study-makings": studyMakings,
  "0028-second-step-password": secondStepPassword,
};
