import { Random } from "@stipple/numerics/random";
import { ASSUMPTIONS } from "./assumptions.ts";

export const HOUR = 3600;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** A requested run. */
export interface Arrival {
  /** Seconds since Monday, midnight, UTC. */
  at: number;
  isHd: boolean;
  isRerun: boolean;
  /** Duration on an undisturbed worker. */
  seconds: number;
}

/** Time zones of labs: offset from UTC in hours, and share of labs. */
const ZONES = [
  { hours: -6, share: 0.4 },
  { hours: 1, share: 0.4 },
  { hours: 8, share: 0.2 },
];
/** Relative number of runs in each hour of a lab's local working day: from 8 to 19 h, with a dip at noon. */
const BY_HOUR = [4, 8, 11, 12, 8, 8, 11, 12, 12, 8, 4, 2];
const FIRST_HOUR = 8;

/** All runs over a number of weeks, sorted by time. */
export function arrivalsOf(labs: number, weeks: number, seed: number): Arrival[] {
  const random = new Random(seed);
  const { slidesPerLabWeek, rerunsPerSlide, rerunDelayDays, hdShare, spread, rerunShare } =
    ASSUMPTIONS;
  const arrivals: Arrival[] = [];
  const end = weeks * WEEK;
  for (let lab = 0; lab < labs; lab++) {
    const zone = pick(ZONES, (each) => each.share, random);
    const perWeek = slidesPerLabWeek.value;
    for (let at = waitingTime(WEEK / perWeek); at < end; at += waitingTime(WEEK / perWeek)) {
      const isHd = random.uniform() < hdShare.value;
      const typical = (isHd ? ASSUMPTIONS.hdSeconds : ASSUMPTIONS.visiumSeconds).value;
      const seconds = typical * Math.exp(spread.value * random.normal());
      const asked = inWorkingHours(at, zone.hours);
      arrivals.push({ at: asked, isHd, isRerun: false, seconds });
      const reruns = poisson(rerunsPerSlide.value);
      for (let n = 0; n < reruns; n++) {
        const later = inWorkingHours(asked + waitingTime(rerunDelayDays.value * DAY), zone.hours);
        arrivals.push({ at: later, isHd, isRerun: true, seconds: seconds * rerunShare.value });
      }
    }
  }
  return arrivals.filter(({ at }) => at < end).sort((a, b) => a.at - b.at);

  function waitingTime(mean: number): number {
    return -mean * Math.log(1 - random.uniform());
  }

  function poisson(mean: number): number {
    let count = 0;
    for (let sum = waitingTime(1); sum < mean; sum += waitingTime(1)) count++;
    return count;
  }

  /** A random time on the working day containing `at`, or on the next working day. */
  function inWorkingHours(at: number, zoneHours: number): number {
    let day = Math.floor((at + zoneHours * HOUR) / DAY);
    while (((day % 7) + 7) % 7 > 4) day++;
    const hours = BY_HOUR.map((share, index) => ({ share, hour: FIRST_HOUR + index }));
    const { hour } = pick(hours, (each) => each.share, random);
    return Math.max(0, day * DAY + (hour + random.uniform() - zoneHours) * HOUR);
  }
}

function pick<T>(items: readonly T[], shareOf: (item: T) => number, random: Random): T {
  const sum = items.reduce((total, item) => total + shareOf(item), 0);
  let rest = random.uniform() * sum;
  return items.find((item) => (rest -= shareOf(item)) < 0) ?? items.at(-1)!;
}
