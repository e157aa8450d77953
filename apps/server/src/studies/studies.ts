import { randomUUID } from "node:crypto";
import type { ListedStudy, Study } from "@stipple/contract";
import { MAX_STUDY_SAMPLES } from "@stipple/contract/routes/studies";
import type { OwnedStudy } from "../access/opened-results.ts";
import { audit } from "../audit/audit.ts";
import type { Db } from "../db/database.ts";
import { countOf, lockRow } from "../db/rows.ts";
import { UUID } from "../db/uuid.ts";
import { ApiError } from "../http/api-error.ts";
import { isBlank, isOneLine } from "../http/one-line.ts";
import { listStudies, readStudy, type StudyParts } from "./read-studies.ts";
import { designRows, designVersion, type AskedDesign } from "./design-rows.ts";

/** Studies of one account: projects, and what each of them is. */
export interface Studies {
  list(userId: string): Promise<ListedStudy[]>;
  /** Throws invalid_request, project_not_found, or limit_reached. */
  create(userId: string, name: string, projectIds: readonly string[]): Promise<string>;
  /** The only place where ownership is checked. Throws study_not_found. */
  owned(userId: string, studyId: string): Promise<OwnedStudy>;
  read(study: OwnedStudy): Promise<Study>;
  /**
   * Replaces samples and design, those of `version` if it is given. Throws invalid_request, project_not_found, or
   * study_changed.
   */
  change(study: OwnedStudy, design: AskedDesign, version?: string): Promise<void>;
  rename(study: OwnedStudy, name: string): Promise<void>;
  remove(study: OwnedStudy): Promise<void>;
}

const LONGEST_NAME = 200;
const MAX_STUDIES = 100;

export function openStudies(parts: StudyParts): Studies {
  const { database, projects } = parts;
  const { db } = database;

  async function change(study: OwnedStudy, design: AskedDesign, version?: string): Promise<void> {
    const own = new Map((await projects.list(study.userId)).map(({ id, name }) => [id, name]));
    await database.transaction(async (transaction) => {
      // Changes of one study come one after another.
      if (!(await lockRow(transaction, "studies", study.id))) throw new ApiError("study_not_found");
      const stored = designVersion(await storedDesign(transaction, study.id));
      // What was saved already, perhaps without an answer, may be saved again.
      if (stored === designVersion(design)) return;
      // Before the rows are judged: a project of the earlier version may be gone.
      if (version !== undefined && version !== stored) throw new ApiError("study_changed");
      const { columns, rows } = designRows(design, own);
      await transaction
        .updateTable("studies")
        .set({ columns: JSON.stringify(columns) })
        .where("id", "=", study.id)
        .execute();
      await replaceSamples(transaction, study.id, rows);
    });
  }

  return {
    change,
    list: (userId) => listStudies(parts, userId),
    create: (userId, name, projectIds) => create(parts, userId, name, projectIds),
    async owned(userId, studyId) {
      const row = UUID.test(studyId)
        ? await db
            .selectFrom("studies")
            .select(["id", "name"])
            .where("id", "=", studyId)
            .where("user_id", "=", userId)
            .executeTakeFirst()
        : undefined;
      if (!row) throw new ApiError("study_not_found");
      return { ...row, userId };
    },
    read: (study) => readStudy(parts, study),
    async rename({ id, userId, name: before }, name) {
      const trimmed = checkedName(name);
      await database.transaction(async (transaction) => {
        await transaction
          .updateTable("studies")
          .set({ name: trimmed })
          .where("id", "=", id)
          .execute();
        const about = { study: before, name: trimmed };
        await audit(transaction, { userId, what: "study_renamed", about });
      });
    },
    async remove({ id, userId, name }) {
      await database.transaction(async (transaction) => {
        await transaction.deleteFrom("studies").where("id", "=", id).execute();
        await audit(transaction, { userId, what: "study_deleted", about: { study: name } });
      });
    },
  };
}

async function storedDesign(transaction: Db, studyId: string): Promise<AskedDesign> {
  const { columns } = await transaction
    .selectFrom("studies")
    .select("columns")
    .where("id", "=", studyId)
    .executeTakeFirstOrThrow();
  const samples = await transaction
    .selectFrom("study_samples")
    .select(["project_id", "name", "condition", "patient", "batch", "more"])
    .where("study_id", "=", studyId)
    .orderBy("position")
    .execute();
  return { columns, samples };
}

async function replaceSamples(
  transaction: Db,
  studyId: string,
  rows: ReturnType<typeof designRows>["rows"],
): Promise<void> {
  await transaction.deleteFrom("study_samples").where("study_id", "=", studyId).execute();
  if (rows.length === 0) return;
  await transaction
    .insertInto("study_samples")
    .values(
      rows.map((row, position) => ({
        ...row,
        more: JSON.stringify(row.more),
        study_id: studyId,
        position,
      })),
    )
    .execute();
}

async function create(
  { database, clock, projects }: StudyParts,
  userId: string,
  name: string,
  projectIds: readonly string[],
): Promise<string> {
  const id = randomUUID();
  const trimmed = checkedName(name);
  const own = new Map((await projects.list(userId)).map((one) => [one.id, one.name]));
  const samples = projectIds.map((project_id) => ({
    ...{ project_id, name: "", condition: "", patient: "", batch: "", more: {} },
  }));
  if (samples.length > MAX_STUDY_SAMPLES) {
    throw new ApiError(
      "invalid_request",
      `A study can hold ${MAX_STUDY_SAMPLES} samples; choose fewer projects.`,
    );
  }
  const { rows } = designRows({ columns: [], samples }, own);
  await database.transaction(async (transaction) => {
    // Simultaneous calls wait here, so that together they cannot exceed the limit.
    await lockRow(transaction, "users", userId);
    const studies = transaction.selectFrom("studies").where("user_id", "=", userId);
    if ((await countOf(studies)) >= MAX_STUDIES) {
      throw new ApiError(
        "limit_reached",
        `An account can have ${MAX_STUDIES} studies. Delete one you no longer need.`,
      );
    }
    await transaction
      .insertInto("studies")
      .values({ id, user_id: userId, name: trimmed, columns: "[]", created_at: clock.now() })
      .execute();
    await replaceSamples(transaction, id, rows);
  });
  return id;
}

/** Without surrounding space. */
function checkedName(name: string): string {
  const trimmed = name.trim();
  if (isBlank(trimmed) || trimmed.length > LONGEST_NAME || !isOneLine(trimmed)) {
    throw new ApiError(
      "invalid_request",
      `A study needs a name: one line of at most ${LONGEST_NAME} characters, without invisible control characters.`,
    );
  }
  return trimmed;
}
