/** Time of one stage of a job, in seconds. */
export interface Stage {
  stage: string;
  cpu: number;
  wall: number;
}

/** One job, done by Stipple and by another program. */
export interface Job {
  job: string;
  what: string;
  peer: string;
  ours: Stage[];
  theirs: Stage[];
  /** Adjusted Rand indices of clusters. */
  rand?: { sameComponents: number; ownComponents: number; truth: number; scanpyTruth: number };
}
export type Versions = Record<string, string>;
/** Measurements by job, with commit, date, and machine. */
export type Measured = Partial<
  Record<
    string,
    Job & { commit: string; date: string; machine: string; load: number; versions: Versions }
  >
>;

/** Target speedups over the other program. */
const AIMS: Record<string, number> = { text: 1.5, h5: 1.2, pyramid: 1, core: 3, "core-200k": 3 };
const NAMES: Record<string, string> = {
  components: "normalization, variable genes, PCA",
  clusters: "neighbors and Leiden",
  umap: "UMAP",
};

/** docs/peers.md, from the measurements. */
export function peersPage(measured: Measured): string {
  const jobs = Object.values(measured).flatMap((job) => job ?? []);
  const rows = jobs.map((job) => row(job.what, whole(job.ours), job.peer, whole(job.theirs), job));
  const versions = Object.assign({}, ...jobs.map((job) => job.versions)) as Versions;
  const runs = jobs.map(
    ({ job, commit, date, load }) => `${job} ${commit}, ${date}, load ${load.toFixed(1)}`,
  );
  return `# Comparison with other programs

Written by \`npm run bench:peers\`: the same task on the same input and machine, one program after the other, each in its own
process. CPU seconds cover the process and its threads, without startup; the lower of two rounds (one for the
single-cell core) is shown. A ratio above 1 means that Stipple takes less. Only a quiet machine gives a
fair ratio, because on a busy one the programs' CPU times rise by different amounts. The load is given.
Even so, the ratios of the single-cell core vary: on 23 November 2026, when the machine was faster, they were 3.26 at both sizes.

${jobs[0].machine}; Python ${versions["python"]}, scanpy ${versions["scanpy"]}, scipy ${versions["scipy"]}, umap-learn ${versions["umap-learn"]}, igraph ${versions["igraph"]}, libvips ${versions["pyvips-binary"]}, ONNX Runtime ${versions["onnxruntime"]}. Commits and loads: ${runs.join("; ")}.

${HEAD}
${rows.join("\n")}

Stipple returns rows of counts, ready to use, checked for invalid values and duplicate entries, which scanpy does not
check; mmread returns entries${asRows(measured["text"])}. Before both read the h5, h5py rewrites it in Space Ranger's
own layout (chunks of 80,000, shuffled, 64-bit indices). Our pyramid is also made by libvips, through sharp. The network we compare
with is a U-Net like StarDist's for H&E, with random weights, since the time does not depend on them. bin2cell's method reads the
bins, corrects stripes, assigns bins within 2 of a nucleus to it, and sums; ours does the same by outlines and distance, and
counts what is left unassigned.
${coreSections([measured["core"], measured["core-200k"]].filter((job) => job !== undefined))}`;
}

const HEAD = `| Task | Ours, CPU s | Ours, s | Other program | CPU s | s | CPU ratio | Target |
| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |`;

function asRows(text: Job | undefined): string {
  const rows = text?.theirs.find(({ stage }) => stage === "rows");
  return rows ? `, which take another ${rows.cpu.toFixed(1)} CPU s to convert to rows` : "";
}

/** The part of a job used in the comparison: its first stage, or the stages of the core. */
function whole(stages: readonly Stage[]): Stage {
  const core = stages.filter(({ stage }) => stage in NAMES);
  if (core.length === 0) return stages[0];
  const sum = (key: "cpu" | "wall"): number => core.reduce((total, each) => total + each[key], 0);
  return { stage: "core", cpu: sum("cpu"), wall: sum("wall") };
}

function coreSections(jobs: readonly Job[]): string {
  if (jobs.length === 0) return "";
  return `
## The single-cell core

20 components of the 1,000 most variable of 2,000 genes, 15 neighbors, resolution 1, minimum distance 0.3, on simulated counts of
12 types. Stipple fits genes and axes on 8,000 cells and projects the rest. Writing the h5ad (step 7 in Stipple) is not counted
for either.
${jobs.map(coreSection).join("")}`;
}

function coreSection({ what, ours, theirs, rand }: Job): string {
  const of = (stages: readonly Stage[], name: string): Stage =>
    stages.find(({ stage }) => stage === name)!;
  const rows = Object.entries(NAMES).map(([name, words]) =>
    row(words, of(ours, name), "scanpy", of(theirs, name)),
  );
  return `
The ${what}:

${HEAD}
${rows.join("\n")}

Adjusted Rand index of clusters: ours vs. scanpy's from the same components ${rand!.sameComponents.toFixed(3)}; each from its own components
${rand!.ownComponents.toFixed(3)}; ours vs. the true types ${rand!.truth.toFixed(3)}, scanpy's vs. the true types ${rand!.scanpyTruth.toFixed(3)}.
`;
}

function row(what: string, ours: Stage, peer: string, theirs: Stage, job?: Job): string {
  const aim = job && AIMS[job.job];
  const cells = [
    what,
    ours.cpu.toFixed(2),
    ours.wall.toFixed(2),
    peer,
    theirs.cpu.toFixed(2),
    theirs.wall.toFixed(2),
    (theirs.cpu / ours.cpu).toFixed(2),
    aim === undefined ? "" : `≥ ${aim}`,
  ];
  return `| ${cells.join(" | ")} |`;
}
