import type {
  AnalysisOptions,
  AnnotationKind,
  Plan,
  RunChoices,
  StudyComparison,
  StudyDownload,
  StudySpaceAnswer,
} from "@stipple/contract";
import type { ColumnType, Generated, JSONColumnType } from "kysely";

/** What the steps of a run were expected to take. */
export interface StepSeconds {
  /** By the run's size alone. */
  plain: readonly number[];
  /** By its size, corrected by what earlier runs here took. */
  expected: readonly number[];
}

/** What a run is expected to need, based on the sizes of its inputs before any of them is read. */
export interface Estimate {
  memoryMb: number;
  /** Disk space for the results and for the inputs' copies on the worker; missing in estimates of earlier versions. */
  diskMb?: number;
  /** Duration of the whole run on two cores; an upper bound from fitting. */
  seconds: number;
  /** Duration of each step, as accurately as is known by now; missing in estimates of earlier versions. */
  steps?: StepSeconds;
}

type Timestamp = ColumnType<Date, Date | string, Date | string>;

export type Damage = "missing" | "damaged";

export type RunStatus = "pending" | "running" | "completed" | "failed" | "cancelled";

export type PaidTier = Plan["tier"];

/** All tables, and their columns. */
export interface Schema {
  users: {
    id: string;
    /** As typed at registration; compared by its lower-case form. */
    email: string;
    password_hash: string;
    created_at: Timestamp;
    email_verified_at: Timestamp | null;
  };

  sessions: {
    /** The token's jti. */
    id: string;
    user_id: string;
    created_at: Timestamp;
    expires_at: Timestamp;
    revoked_at: Timestamp | null;
    /** Updated at most every few minutes. */
    last_seen_at: Timestamp;
    /** From where it was last seen. */
    address: string | null;
    device: string | null;
  };

  /** Mailed links that confirm an email address, by the SHA-256 of their token. */
  email_verifications: {
    token_hash: string;
    user_id: string;
    expires_at: Timestamp;
  };

  authenticator_apps: {
    user_id: string;
    /** Sealed with the operator's secret (accounts/secret-box.ts). */
    secret: Buffer;
    /** The last 30-second period, counted from 1970, whose code was accepted. */
    last_period: ColumnType<string, number, number>;
    created_at: Timestamp;
  };

  passkeys: {
    /** The credential's id, as the browser gives it. */
    id: string;
    user_id: string;
    public_key: Buffer;
    counter: ColumnType<string, number, number>;
    transports: string[];
    name: string;
    created_at: Timestamp;
    last_used_at: Timestamp | null;
  };

  recovery_codes: {
    user_id: string;
    code_hash: string;
    used_at: Timestamp | null;
  };

  /** Multi-step actions in progress, by the SHA-256 of their tickets. */
  ceremonies: {
    ticket_hash: string;
    purpose: string;
    user_id: string | null;
    challenge: string | null;
    secret: Buffer | null;
    /** Hash of the password that came before a second step. */
    password_hash: string | null;
    expires_at: Timestamp;
  };

  /** Mailed links to choose a new password, by the SHA-256 of their token. */
  password_resets: {
    token_hash: string;
    user_id: string;
    expires_at: Timestamp;
  };

  /** What was done with an account, as its person may read it. */
  audit_log: {
    id: ColumnType<string, never, never>;
    /** null in the row that records the account's deletion. */
    user_id: string | null;
    /** By the database's clock. */
    at: ColumnType<Date, Date | undefined, never>;
    what: string;
    by: string;
    about: JSONColumnType<Record<string, string>, string, never>;
    address: string | null;
    device: string | null;
  };

  /** Number of attempts in the current window, by what was attempted and by whom (hashed). */
  attempts: {
    key: string;
    count: number;
    ends_at: Timestamp;
  };

  /** Storage keys whose rows are gone and whose files are to be removed. */
  deletions: {
    key: string;
    noted_at: Timestamp;
  };

  projects: {
    id: string;
    user_id: string;
    name: string;
    options: JSONColumnType<AnalysisOptions>;
    choices: ColumnType<RunChoices, string | undefined, string>;
    /** Identifies the sample dataset's files in projects made from them; null in all others. */
    sample_dataset: string | null;
    /** What the sample of its results is known by; null before there are any. */
    results_sample: ColumnType<string | null, string | null | undefined, string | null>;
    /** Increases with every change of its annotations. */
    annotation_revision: Generated<number>;
    created_at: Timestamp;
  };

  /** An immutable object of the storage. Rows hold it by a foreign key; without any it is moved to `doomed_objects`. */
  objects: {
    id: string;
    /** Changes only when the object is repaired: the same bytes are then under the new key. */
    storage_key: string;
    /** SHA-256 of the content, or what an input is known by (`chunksDigest`); null for some inputs of early versions. */
    digest: string | null;
    size: ColumnType<string, number, never>;
    created_at: Generated<Timestamp>;
    /** What was last found wrong with its bytes; null if nothing was. It is then neither served nor reused. */
    damage: ColumnType<Damage | null, Damage | null | undefined, Damage | null>;
    damaged_at: ColumnType<Date | null, never, Date | null>;
  };

  /** Storage keys to be removed once they are due: what no row holds, and drafts that no row holds yet. */
  doomed_objects: {
    storage_key: string;
    due_at: Timestamp;
    /** From here on nothing may hold it anymore. */
    removing: Generated<boolean>;
  };

  /** A backup in progress: until it ends, no stored object is removed. */
  backup_holds: {
    id: string;
    /** By the database's clock; prolonged while the backup lives. */
    held_until: Timestamp;
  };

  /** A download of a project's results in progress: until it ends, the project's storage time does not. */
  download_holds: {
    id: string;
    project_id: string;
    /** By the database's clock; prolonged while the download lasts. */
    held_until: Timestamp;
  };

  /** One upload slot of a project: the file that is there, and the file on its way to replace it. */
  uploads: {
    project_id: string;
    slot: string;
    /** The complete file: its own name, size and object. All null until there is one. */
    file_name: string | null;
    size: ColumnType<string | null, number | null, number | null>;
    object_id: string | null;
    /** What the complete file is known by (`chunksDigest`); null until a file of an early version is read again. */
    digest: string | null;
    chunks: number | null;
    /** SHA-256 of each chunk of the complete file, to recognize a repeated chunk. */
    chunk_hashes: ColumnType<string[] | null, string | null, string | null>;
    /** The file being received, and where its parts go; null when none is. */
    incoming_name: string | null;
    incoming_chunks: number | null;
    incoming_key: string | null;
    incoming_upload_id: string | null;
    /** How long the process checking the whole file holds it; null if none does. */
    checking_until: Timestamp | null;
    /** The last file that was refused, by its key, and why. */
    refused_key: string | null;
    refusal: string | null;
  };

  upload_chunks: {
    project_id: string;
    slot: string;
    chunk: number;
    size: number;
    sha256: string;
    /** The storage's response for the part; null until it is stored. */
    tag: string | null;
  };

  runs: {
    /** Also the id of the durable workflow. */
    id: string;
    project_id: string;
    user_id: string;
    status: RunStatus;
    /** First step of this run; the worker lowers it when earlier outputs are missing. */
    start_step: number;
    /** Whether outputs of start_step and later have been cleared, so that what is there is this run's. */
    prepared: Generated<boolean>;
    step: number | null;
    step_fraction: Generated<number>;
    percent: Generated<number>;
    step_started_at: Timestamp | null;
    log: JSONColumnType<string[], string, string>;
    error: string | null;
    /** Id of the worker that has it; kept after a cancellation until that worker has released it. */
    worker: string | null;
    /** Its place in the queue: the run due first is taken first (runs/estimate/estimate.ts). */
    due_at: ColumnType<Date, Date | undefined, never>;
    /** What it was expected to take when it was requested. */
    estimate: JSONColumnType<Estimate> | null;
    /** The analysis that was the project's current one when it was accepted. */
    analysis_before: ColumnType<string | null, string | null | undefined, string | null>;
    /** The request that asked for it. */
    request_id: ColumnType<string | null, string | null | undefined, never>;
    /** That request's span; null when it was not traced. */
    traceparent: ColumnType<string | null, string | null | undefined, never>;
    created_at: Timestamp;
    started_at: Timestamp | null;
    finished_at: Timestamp | null;
  };

  /** The manifest of a finished step of a project, without its files. */
  step_results: {
    project_id: string;
    step: number;
    name: string;
    version: number;
    /** Identity by content: equal keys mean equal outputs. */
    key: string;
    params: JSONColumnType<object, string, string>;
    settings: JSONColumnType<Record<string, unknown>, string, string>;
    seconds: number;
    warnings: JSONColumnType<string[], string, string>;
    /** Field → SHA-256 of its content. */
    fields: JSONColumnType<Record<string, string>, string, string>;
    /** What is at the top of the step's own folder, as the status answer lists it. */
    entries: JSONColumnType<string[], string, string>;
    published_at: Timestamp;
  };

  /** A file of a finished step: `size` bytes of an object from `offset` on. */
  step_files: {
    project_id: string;
    step: number;
    /** Relative to the results folder. */
    path: string;
    size: ColumnType<string, number, number>;
    sha256: string;
    object_id: string;
    offset: ColumnType<string, number, number>;
  };

  /**
   * Analyses that count against a plan: one row for each sample that a project has analyzed, from its first accepted run.
   * Outlives the project.
   */
  analyses: {
    id: Generated<string>;
    project_id: string;
    user_id: string;
    /**
     * What it counts against: the tier of the trial or of a one-time plan, a subscription's id, or nothing (SAMPLE_PLAN).
     */
    plan: string;
    /** What the sample's counts are known by; null in rows of early versions. */
    sample: string | null;
    /** Whether the project's results are, or will be, of this sample. */
    current: Generated<boolean>;
    /** The run that it was counted for; null in rows of early versions. */
    reserved_by: string | null;
    counted_at: Timestamp;
    /** When it first yielded results; never taken back, whatever becomes of them. */
    yielded_at: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
    /** Spots of the project's last completed run. */
    spots: Generated<number>;
    /** When the project's results were first complete. */
    completed_at: Timestamp | null;
    /** Storage time of the plan under which they were made; null on trial. */
    retention_days: number | null;
  };

  /** Worker processes that are alive, or whose death has not been noticed yet. */
  workers: {
    id: string;
    /** The scope in which its pid is meaningful: one kernel and one pid namespace. */
    machine: string;
    pid: number;
    started_at: ColumnType<Date, Date | undefined, never>;
    /** By the database's clock. */
    alive_until: Timestamp;
  };

  /** One row: what all processes on this database share. */
  installation: {
    singleton: Generated<boolean>;
    secret_fingerprint: string;
  };

  /** Recurring work done by any one of the processes. */
  chores: {
    name: string;
    /** By the database's clock. */
    due_at: Timestamp;
  };

  /** The user's customer record at the payment provider. */
  customers: {
    user_id: string;
    id: string;
  };

  /** Hosted checkouts that were opened, until their outcome is known. */
  checkouts: {
    id: string;
    user_id: string;
    tier: PaidTier;
    settled: Generated<boolean>;
    created_at: Timestamp;
  };

  /** Copies of the provider's subscriptions, rewritten from its answer whenever it tells of a change. */
  subscriptions: {
    id: string;
    user_id: string;
    tier: PaidTier;
    status: "active" | "past_due" | "ended";
    period_start: Timestamp;
    period_end: Timestamp;
    cancel_at_period_end: boolean;
    schedule_id: string | null;
    /** The tier that follows at the end of the period. */
    next_tier: ColumnType<PaidTier | null, PaidTier | null | undefined, PaidTier | null>;
    created_at: Timestamp;
    ended_at: Timestamp | null;
    /** Number of the request to the provider that this row comes from; an earlier request never overwrites it. */
    read_number: ColumnType<string, number | undefined, number>;
  };

  /** One-time purchases; the id is the checkout's. */
  purchases: {
    id: string;
    user_id: string;
    tier: PaidTier;
    purchased_at: Timestamp;
  };

  /** Every payment attempt; the id is the invoice's or the payment's. Without a person once the account is deleted. */
  payments: {
    id: string;
    user_id: string | null;
    tier: PaidTier;
    amount_cents: number;
    status: "succeeded" | "failed";
    paid_at: Timestamp;
  };

  provider_events: {
    id: string;
    type: string;
    taken_at: Timestamp;
  };

  /** How far the payment sandbox's clock has been moved ahead; no row with a real provider. */
  provider_clock: {
    singleton: Generated<boolean>;
    ahead_ms: ColumnType<string, number, number>;
    /** How much of that may delete projects, as confirmed by the operator. */
    deletes_ahead_ms: ColumnType<string, number | undefined, number>;
  };

  /** Active read-only links to a project's interactive view; revoked links have no row. */
  share_links: {
    id: string;
    /** Either this or `study_id`. */
    project_id: string | null;
    study_id: string | null;
    /** SHA-256 of the token's jti. */
    token_hash: string;
    note: string;
    created_at: Timestamp;
    expires_at: Timestamp;
    /** When someone opened it for the first time. */
    opened_at: Timestamp | null;
  };

  /** Named views of a project's results. */
  saved_views: {
    id: string;
    project_id: string;
    name: string;
    created_at: Timestamp;
    /** Length of `state` as JSON. */
    bytes: number;
    state: JSONColumnType<Record<string, unknown>, string, string>;
  };

  /** What people added to a project's results. */
  annotations: {
    project_id: string;
    /** Made by the client. */
    id: string;
    kind: AnnotationKind;
    value: JSONColumnType<Record<string, unknown>, string, string>;
    /** Length of `value` as JSON. */
    bytes: number;
    /** The project's `annotation_revision` that wrote it. */
    revision: number;
    /** Email address. */
    author: string;
    at: Timestamp;
  };

  /** A change of annotations, which is undone as a whole. Its revision is that of the project after it. */
  annotation_batches: {
    project_id: string;
    revision: number;
    /** Made by the client, to recognize a repeated request. */
    id: string;
    author: string;
    at: Timestamp;
    /** Name of the version that it restored. */
    restored: string | null;
    undone: Generated<boolean>;
    /** Length of what its changes hold. */
    bytes: ColumnType<string, number, never>;
  };

  /** One item of a change; null: it was not there before, or is not after. */
  annotation_changes: {
    project_id: string;
    revision: number;
    position: number;
    id: string;
    kind: AnnotationKind;
    label: string;
    before: JSONColumnType<Record<string, unknown>, string | null, never> | null;
    after: JSONColumnType<Record<string, unknown>, string | null, never> | null;
  };

  /** Annotations as they were, under a name. */
  annotation_versions: {
    id: string;
    project_id: string;
    name: string;
    author: string;
    at: Timestamp;
    revision: number;
    /** Number of items, and their length as JSON. */
    count: number;
    bytes: number;
    items: JSONColumnType<{ id: string; kind: AnnotationKind; value: object }[], string, never>;
  };

  /** Projects that are compared. */
  studies: {
    id: string;
    user_id: string;
    name: string;
    /** Names of further columns of the design. */
    columns: JSONColumnType<string[], string, string>;
    created_at: Timestamp;
  };

  /** Gene lists that an account keeps for all of its projects. */
  gene_lists: {
    user_id: string;
    name: string;
    genes: JSONColumnType<string[], string, string>;
    kept_at: Timestamp;
  };

  /** A sample of a study, and what it is. */
  study_samples: {
    study_id: string;
    position: number;
    /** Null once the project has been deleted; `name` is then its last name. */
    project_id: string | null;
    name: string;
    condition: string;
    patient: string;
    batch: string;
    more: JSONColumnType<Record<string, string>, string, string>;
  };

  /** What a comparison of a study found. */
  study_findings: {
    study_id: string;
    /** Of the content of the results and the design. */
    key: string;
    found_at: Timestamp;
    kind: Generated<"answer" | StudyDownload>;
    finding: JSONColumnType<
      | { refusal: string }
      | { comparison: StudyComparison }
      | { space: StudySpaceAnswer }
      | { combined: { suffix: string } },
      string,
      never
    >;
  };

  /** A file of a finding: its bytes here, or an object. */
  study_finding_files: {
    study_id: string;
    key: string;
    name: string;
    gzipped: Buffer | null;
    object_id: string | null;
    size: ColumnType<string | null, number | null, never>;
    sha256: string | null;
  };

  /** Which places of two sections match. */
  study_landmarks: {
    study_id: string;
    /** Projects. */
    first: string;
    second: string;
    /** x, y on the first, then on the second; px of the full-resolution images. */
    points: JSONColumnType<[number, number, number, number][], string, never>;
    author: string;
    at: Timestamp;
  };

  /** A project that runs once its account's earlier runs have ended. */
  waiting_runs: {
    project_id: string;
    user_id: string;
    asked_at: Timestamp;
    /** Why it was not started when its turn came: a sentence. It then waits no longer. */
    refusal: string | null;
  };

  /** What a process computes for a study just now. */
  study_makings: {
    study_id: string;
    key: string;
    held_until: Timestamp;
  };
}
