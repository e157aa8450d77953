import { platformById, type PlatformId } from "@stipple/contract/platforms/index";
import type { Project } from "@stipple/contract/routes/projects";
import { MAX_STUDY_COLUMNS, MAX_STUDY_SAMPLES, type Study } from "@stipple/contract/routes/studies";
import { useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { fetchStatus } from "../../../project/fetch-status.ts";
import type { Picked, PickedFile } from "../../../project/uploads/dropped-files.ts";
import { refusals } from "../../../project/uploads/texts.ts";
import { FIXED_COLUMNS } from "../design.ts";
import { useChoosableProjects } from "../use-studies.ts";
import { checkFiles, continuedBy, isPlatform, rowFault, type CheckedFiles } from "./check-row.ts";
import {
  intakeOf,
  NOTHING_SHARED,
  settingOf,
  sharedOf,
  withKnownColumns,
  type Intake,
  type Row,
} from "./intake.ts";
import { useSettingSchema } from "./setting-options.ts";
import type { JudgedRow } from "./samples-table.tsx";
import { FAULTS } from "./texts.ts";

const EMPTY: Intake = { rows: [], columns: [], sheet: null };

/** The samples that were dropped, as they are edited, and what is found about them. */
export function useIntake(study: Study | undefined) {
  const [files, setFiles] = useState<readonly PickedFile[]>([]);
  const [intake, setIntake] = useState<Intake>(EMPTY);
  const [shared, setShared] = useState(NOTHING_SHARED);
  const [problem, setProblem] = useState<string>();
  const { data: projects } = useChoosableProjects();

  async function take({ files: more, unreadable }: Picked): Promise<void> {
    const paths = new Set(more.map(({ path }) => path));
    const all = [...files.filter(({ path }) => !paths.has(path)), ...more];
    const found = await intakeOf(all);
    setFiles(all);
    if (typeof found === "string") {
      setIntake(EMPTY);
      return setProblem(found);
    }
    const read = withKnownColumns(found, [...FIXED_COLUMNS, ...(study?.columns ?? [])]);
    const taken = read.rows.length + (study?.samples.length ?? 0);
    if (taken > MAX_STUDY_SAMPLES) return setProblem(FAULTS.tooMany(MAX_STUDY_SAMPLES));
    const { further } = columnsOf(read, study);
    if (further.length > MAX_STUDY_COLUMNS) {
      return setProblem(FAULTS.tooManyColumns(MAX_STUDY_COLUMNS));
    }
    setProblem(unreadable[0] === undefined ? undefined : refusals.unreadable(unreadable[0]));
    setShared(sharedOf(read, shared));
    setIntake(read);
  }

  const change = (rows: readonly Row[]): void => setIntake({ ...intake, rows });
  const isAlone = intake.rows.length === 1 && (study?.samples.length ?? 0) === 0;
  const judged = useJudged(intake.rows, { shared, study, projects });
  return {
    ...{ intake, shared, setShared, take, judged },
    problem: problem ?? (isAlone ? FAULTS.oneSample : undefined),
    columns: columnsOf(intake, study),
    onChange: (row: Row) => change(intake.rows.map((one) => (one.key === row.key ? row : one))),
    onRemove: (row: Row) => change(intake.rows.filter((one) => one !== row)),
    clear() {
      setFiles([]);
      setIntake(EMPTY);
      setProblem(undefined);
      setShared(NOTHING_SHARED);
    },
  };
}

/** The columns to show, and those of them that are the study's own. */
function columnsOf({ columns }: Intake, study: Study | undefined) {
  const isFixed = (name: string): boolean => FIXED_COLUMNS.some((one) => one === name);
  const further = [
    ...new Set([...(study?.columns ?? []), ...columns.filter((one) => !isFixed(one))]),
  ];
  return { further, all: [...FIXED_COLUMNS, ...further] };
}

interface Judging {
  shared: typeof NOTHING_SHARED;
  study: Study | undefined;
  projects: readonly Project[] | undefined;
}

/** Looks at each row's files, again when its platform or bin size changes. */
function useJudged(rows: readonly Row[], { shared, study, projects }: Judging): JudgedRow[] {
  const schema = useSettingSchema();
  const asked = rows.map((row) => {
    const project = continuedBy(row.name, study)?.project_id ?? null;
    const options = projects?.find(({ id }) => id === project)?.analysis_options;
    const platform = options?.platform ?? settingOf(row, shared, "platform");
    const resolution = options?.resolution ?? settingOf(row, shared, "resolution");
    return { row, project, platform, resolution };
  });
  const found = useQueries({
    queries: asked.map(({ row, project, platform, resolution }) => ({
      queryKey: ["sample-files", stampOf(row), project, platform, resolution],
      enabled: isPlatform(platform) && row.fault === null,
      gcTime: 0,
      staleTime: Infinity,
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<CheckedFiles> => {
        const filled = project ? Object.keys((await fetchStatus(project, signal)).input_files) : [];
        const size = sizeOf(platform as PlatformId, resolution);
        return checkFiles(row, { platform: platform as PlatformId, resolution: size }, filled);
      },
    })),
  });
  return asked.map(({ row, project }, i) => {
    const checked = found[i]?.data ?? null;
    const broken = found[i]?.error?.message ?? null;
    const fault =
      rowFault(row, { rows, shared, study, schema }) ?? broken ?? checked?.fault ?? null;
    return { row, fault, checked, continues: project !== null };
  });
}

/** Equal for rows with the same files. */
function stampOf({ key, files, extra }: Row): string {
  const all = [...files, ...Object.values(extra)];
  return `${key} ${all.map(({ path, file }) => `${path} ${file.size} ${file.lastModified}`).join()}`;
}

function sizeOf(platform: PlatformId, resolution: string) {
  return platformById(platform).resolutions.includes(resolution)
    ? (resolution as "8" | "16")
    : undefined;
}
