/**
 * How far a section lies from where it belongs when landmarks place it on another one, beside a fit to all of its tissue:
 * simulated serial sections, turned, stretched, and warped smoothly, whose landmarks are marked by hand. `node landmarks.ts`.
 */
import { fitAffine, fitSection, moved, type Affine } from "@stipple/contract/affine";
import { Random } from "@stipple/numerics/random";

const [SIDE_UM, PAIRS, GRID] = [6500, 200, 25];
/** Standard deviation of a marked place on each section, and how far the tissue is warped, µm. */
const [MARKED_UM, WARPED_UM] = [20, 40];

const random = new Random(1);
const near = (range: number): number => range * (2 * random.uniform() - 1);
const places = Array.from({ length: GRID ** 2 }, (_, i) =>
  [i % GRID, Math.floor(i / GRID)].map((at) => ((at + 0.5) * SIDE_UM) / GRID),
);

/** Where a place of one section is on the next. */
function pairOfSections(): (x: number, y: number) => [number, number] {
  const [angle, shear, stretch] = [near(Math.PI / 6), near(0.02), 1 + near(0.02)];
  const [cos, sin] = [Math.cos(angle) * stretch, Math.sin(angle) * stretch];
  const waves = Array.from({ length: 4 }, () => ({
    along: [near(1), near(1)].map((value) => (2 * Math.PI * value) / (SIDE_UM / 2)),
    phase: near(Math.PI),
    by: [near(WARPED_UM), near(WARPED_UM)],
  }));
  return (x, y) => {
    const moves = [cos * x - sin * (y + shear * x), sin * x + cos * (y + shear * x)];
    for (const { along, phase, by } of waves) {
      const wave = Math.sin(along[0] * x + along[1] * y + phase);
      moves[0] += by[0] * wave;
      moves[1] += by[1] * wave;
    }
    return moves as [number, number];
  };
}

function errors(fit: Affine, truth: ReturnType<typeof pairOfSections>): number[] {
  return places.map(([x, y]) => {
    const [[u, v], [p, q]] = [moved(fit, x, y), truth(x, y)];
    return Math.hypot(u - p, v - q);
  });
}

const found = new Map<string, number[]>();
const note = (by: string, values: readonly number[]): void => {
  found.set(by, [...(found.get(by) ?? []), ...values]);
};
for (let pair = 0; pair < PAIRS; pair++) {
  const truth = pairOfSections();
  const all = places.flatMap(([x, y]) => truth(x, y));
  note("all of the tissue", errors(fitAffine(places.flat(), all)!, truth));
  for (const count of [3, 4, 6, 10, 20]) {
    const marked = Array.from({ length: count }, () =>
      [0.5, 0.5].map((at) => SIDE_UM * (at + near(0.45))),
    );
    const by = (): number => MARKED_UM * random.normal();
    const from = marked.flatMap(([x, y]) => [x + by(), y + by()]);
    const to = marked.flatMap(([x, y]) => truth(x, y).map((value) => value + by()));
    const fit = fitSection(from, to);
    if (fit) note(`${count} landmarks`, errors(fit, truth));
    const stretched = fitAffine(from, to);
    if (stretched) note(`${count} landmarks, affine`, errors(stretched, truth));
  }
}
console.log("| Placed by | Median, µm | 95%, µm |");
console.log("| --- | ---: | ---: |");
for (const [by, values] of found) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(share * (sorted.length - 1))].toFixed(0);
  console.log(`| ${by} | ${at(0.5)} | ${at(0.95)} |`);
}
