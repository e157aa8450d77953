/** What one stage of a job took, seconds. */
export interface Stage {
  stage: string;
  cpu: number;
  wall: number;
}

/** One job, by us and by another program. */
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
/** By job; of which code, when and where. */
export type Measured = Partial<
  Record<
    string,
    Job & { commit: string; date: string; machine: string; load: number; versions: Versions }
  >
>;

/** How many times as fast as the peer the issue of speed asks for. */
const AIMS: Record<string, number> = { text: 1.5, h5: 1.2, pyramid: 1, core: 3, "core-200k": 3 };
const NAMES: Record<string, string> = {
  components: "normalizing, variable genes, PCA",
  clusters: "neighbors and Leiden",
  umap: "UMAP",
};

/** docs/peers.md, from what was measured. */
export function peersPage(measured: Measured): string {
  const jobs = Object.values(measured).flatMap((job) => job ?? []);
  const rows = jobs.map((job) => row(job.what, whole(job.ours), job.peer, whole(job.theirs), job));
  const versions = Object.assign({}, ...jobs.map((job) => job.versions)) as Versions;
  const runs = jobs.map(
    ({ job, commit, date, load }) => `${job} ${commit}, ${date}, load ${load.toFixed(1)}`,
  );
  return `# Beside other programs

Written by \`npm run bench:peers\`: the same job on the same input and machine, one program after the other, each in a process
of its own. CPU seconds are of the process and its threads, without starting it; of two rounds (one of the single-cell
core) the least is shown. A ratio above 1 means that Stipple takes less. Only a quiet machine gives a
fair ratio: on a busy one, programs' CPU times rise by different amounts. The load is given.

${jobs[0].machine}; Python ${versions["python"]}, scanpy ${versions["scanpy"]}, scipy ${versions["scipy"]}, umap-learn ${versions["umap-learn"]}, igraph ${versions["igraph"]}, libvips ${versions["pyvips-binary"]}, ONNX Runtime ${versions["onnxruntime"]}. Commits and loads: ${runs.join("; ")}.

${HEAD}
${rows.join("\n")}

Ours are rows of counts, ready to use, checked for values that are no counts and for entries given twice, which scanpy does not
look for; what mmread answers are entries${asRows(measured["text"])}. h5py writes the h5 anew in Space Ranger's
own layout (chunks of 80,000, shuffled, indices of 64 bits) before both read it. Our pyramid is made by libvips as well, through sharp. The network beside ours is a U-Net as StarDist's
for H&E, with weights drawn at random, since the time does not depend on them. bin2cell's way reads the bins, evens out stripes, gives
bins within 2 of a nucleus to it, and sums; ours does the same by outlines and distance, and counts what no cell got.
${coreSections([measured["core"], measured["core-200k"]].filter((job) => job !== undefined))}`;
}

const HEAD = `| Job | Ours, CPU s | Ours, s | Peer | CPU s | s | Ratio of CPU | Aim |
| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |`;

function asRows(text: Job | undefined): string {
  const rows = text?.theirs.find(({ stage }) => stage === "rows");
  return rows ? `, which take ${rows.cpu.toFixed(1)} more CPU s to become rows` : "";
}

/** What counts of a job: its first stage, or the stages of the core. */
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

20 components of the 1,000 most variable of 2,000 genes, 15 neighbors, resolution 1, minimal distance 0.3, on simulated counts of
12 types. Ours finds genes and axes on 8,000 cells and projects all. scanpy then writes its h5ad; ours belongs to step 7, and
neither is counted.
${jobs.map(coreSection).join("")}`;
}

function coreSection({ what, ours, theirs, rand }: Job): string {
  const of = (stages: readonly Stage[], name: string): Stage =>
    stages.find(({ stage }) => stage === name)!;
  const rows = Object.entries(NAMES).map(([name, words]) =>
    row(words, of(ours, name), "scanpy", of(theirs, name)),
  );
  return `
Of the ${what}:

${HEAD}
${rows.join("\n")}

Clusters, adjusted Rand index: ours and scanpy's of the same components ${rand!.sameComponents.toFixed(3)}; each from its own components
${rand!.ownComponents.toFixed(3)}; ours and the true types ${rand!.truth.toFixed(3)}, scanpy's and the true types ${rand!.scanpyTruth.toFixed(3)}.
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
