import type {
  AnalysisOptions,
  DownloadPartId,
  Project,
  Route,
  StudyDownload,
} from "@stipple/contract";
import type { ResultRoute } from "@stipple/contract/result-access";
import type { Session } from "./session.ts";

export interface OwnedProject {
  id: string;
  userId: string;
  name: string;
  options: AnalysisOptions;
  status: Project["status"];
}

export interface OwnedStudy {
  id: string;
  userId: string;
  name: string;
}

/** What a link's token opens. */
export interface OpenedLink {
  projectId: string;
  /** A share link: can view but not save. */
  readOnly: boolean;
  /** Whether what it shows may be saved to files; not in a trial. */
  mayTake: boolean;
  /** Id of the share link if it has never been opened before. */
  unopenedShare: string | null;
  expiresAt: Date;
}

/** What the share link of a study opens: its quality, its answers, and the views of its samples. */
export interface OpenedStudyLink {
  study: OwnedStudy;
  /** The link's own, by which it opens views. */
  secret: string;
  /** Whether those who have the link may keep what it shows. */
  mayTake: boolean;
  /** Id of the share link if it has never been opened before. */
  unopenedShare: string | null;
  expiresAt: Date;
}

/** What a call about results has been let into: a project or a study of the caller's, or what a signed link opens. */
export type OpenedResults<R extends Route> = R extends ResultRoute
  ? R["access"] extends "visualization"
    ? OpenedLink
    : R["access"] extends "study_link"
      ? OpenedStudyLink
      : R["access"] extends "download"
        ? | { project: OwnedProject; part: DownloadPartId | undefined }
          | { study: OwnedStudy; part: StudyDownload }
        : R["path"] extends `/studies/${string}`
          ? OwnedStudy
          : OwnedProject
  : null;

/** Asks, before every call, whether the plan of the results' owner allows what the call does with them. */
export type ResultsGate = (
  route: Route,
  call: { session: Session | null; params: unknown; query: unknown },
) => Promise<unknown>;
