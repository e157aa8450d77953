/** Assigns background regions that touch only one object and not the image border to that object. O(pixels). */
export function fillOwnHoles(labels: Int32Array, width: number, height: number): void {
  const runs: Runs = {
    starts: new Int32Array(1024),
    ends: new Int32Array(1024),
    n: 0,
    row: 0,
    region: [],
    reachesBorder: [],
  };
  for (let y = 0; y < height; y++) addRuns(runs, labels, { width, height }, y);
  const { starts, ends, n, region, reachesBorder } = runs;
  const owners = new Map<number, number>();
  const holes: number[] = [];
  for (let run = 0; run < n; run++) {
    const own = rootOf(region, run);
    if (reachesBorder[own]) continue;
    holes.push(run);
    touchAround(owners, own, labels, width, starts[run], ends[run]);
  }
  for (const run of holes) {
    const owner = owners.get(rootOf(region, run)) ?? -1;
    if (owner > 0) labels.fill(owner, starts[run], ends[run]);
  }
}

/** Runs of background within a row, stored as first pixel and end (exclusive); touching runs share a region. */
interface Runs {
  starts: Int32Array<ArrayBuffer>;
  ends: Int32Array<ArrayBuffer>;
  n: number;
  /** First run of the previous row. */
  row: number;
  region: number[];
  /** Valid at the root of each region. */
  reachesBorder: boolean[];
}

function rootOf(region: number[], run: number): number {
  while (region[run] !== run) run = region[run] = region[region[run]];
  return run;
}

function addRuns(
  runs: Runs,
  labels: Int32Array,
  { width, height }: { width: number; height: number },
  y: number,
): void {
  const { region, reachesBorder } = runs;
  const lastRow = runs.row;
  const row = runs.n;
  const end = (y + 1) * width;
  for (let p = y * width; p < end; p++) {
    if (labels[p]) continue;
    const start = p;
    while (p < end && labels[p] === 0) p++;
    if (runs.n === runs.starts.length) {
      [runs.starts, runs.ends] = [longer(runs.starts), longer(runs.ends)];
    }
    runs.starts[runs.n] = start;
    runs.ends[runs.n] = p;
    region.push(runs.n);
    reachesBorder.push(y === 0 || y === height - 1 || start === end - width || p === end);
    runs.n++;
  }
  const { starts, ends, n } = runs;
  let above = lastRow;
  for (let run = row; run < n; run++) {
    while (above < row && ends[above] + width <= starts[run]) above++;
    for (let other = above; other < row && starts[other] + width < ends[run]; other++) {
      const [a, b] = [rootOf(region, other), rootOf(region, run)];
      if (a === b) continue;
      region[b] = a;
      reachesBorder[a] ||= reachesBorder[b];
    }
  }
  runs.row = row;
}

/** Records the objects around a run: `owners` holds the only object its region touches, or −1 if there are several. */
function touchAround(
  owners: Map<number, number>,
  region: number,
  labels: Int32Array,
  width: number,
  start: number,
  end: number,
): void {
  touch(owners, region, labels[start - 1]);
  touch(owners, region, labels[end]);
  for (let p = start; p < end; p++) {
    touch(owners, region, labels[p - width]);
    touch(owners, region, labels[p + width]);
  }
}

function touch(owners: Map<number, number>, region: number, label: number): void {
  if (label === 0) return;
  const owner = owners.get(region) ?? label;
  owners.set(region, owner === label ? label : -1);
}

function longer(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(2 * values.length);
  more.set(values);
  return more;
}
