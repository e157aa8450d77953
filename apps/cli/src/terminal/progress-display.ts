import { STEPS, type StepNumber } from "@stipple/contract";
import type { RunListener } from "@stipple/pipeline";

const BAR_CELLS = 24;
const NAME_WIDTH = Math.max(...STEPS.map((step) => step.name.length));
const REDRAW_MS = 80;
const TICK_MS = 500;
/** Without a terminal, a step reports its progress after each quarter. */
const PLAIN_PARTS = 4;

/** A progress bar for each step on a terminal; plain lines if the output goes to a file or another program. */
export function progressDisplay(stream: NodeJS.WriteStream): RunListener {
  return stream.isTTY ? barDisplay(stream) : plainDisplay(stream);
}

export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}

/** One line: step, name, bar, percent, elapsed time. */
export function progressLine(step: StepNumber, fraction: number, seconds: number): string {
  const full = Math.round(fraction * BAR_CELLS);
  const bar = "█".repeat(full) + "░".repeat(BAR_CELLS - full);
  const percent = `${Math.floor(fraction * 100)}`.padStart(3);
  return `${step} ${STEPS[step].name.padEnd(NAME_WIDTH)} ${bar} ${percent}%  ${formatSeconds(seconds)}`;
}

function barDisplay(stream: NodeJS.WriteStream): RunListener {
  let current: { step: StepNumber; fraction: number; startedAt: number } | undefined;
  let drawnAt = 0;
  const draw = (): void => {
    if (!current) return;
    const seconds = (performance.now() - current.startedAt) / 1000;
    const line = progressLine(current.step, current.fraction, seconds);
    stream.write(`\r\x1b[2K${line.slice(0, Math.max(20, (stream.columns || 80) - 1))}`);
    drawnAt = performance.now();
  };
  // The elapsed time keeps counting while a step reports nothing.
  setInterval(draw, TICK_MS).unref();
  return {
    stepStarted: (step) => {
      current = { step, fraction: 0, startedAt: performance.now() };
      draw();
    },
    stepProgress: (step, fraction) => {
      if (current?.step !== step) return;
      current.fraction = fraction;
      if (performance.now() - drawnAt > REDRAW_MS) draw();
    },
    stepFinished: (step, seconds) => {
      stream.write(`\r\x1b[2K${progressLine(step, 1, seconds)}\n`);
      current = undefined;
    },
    log: (line) => {
      stream.write(`\r\x1b[2K  ${line}\n`);
      draw();
    },
  };
}

function plainDisplay(stream: NodeJS.WritableStream): RunListener {
  let told = 0;
  return {
    stepStarted: (step) => {
      told = 0;
      stream.write(`Step ${step} ${STEPS[step].name}: started\n`);
    },
    stepProgress: (step, fraction) => {
      const part = Math.floor(fraction * PLAIN_PARTS);
      if (part <= told || part === PLAIN_PARTS) return;
      told = part;
      stream.write(`Step ${step} ${STEPS[step].name}: ${(part * 100) / PLAIN_PARTS}%\n`);
    },
    stepFinished: (step, seconds) => {
      stream.write(`Step ${step} ${STEPS[step].name}: done in ${formatSeconds(seconds)}\n`);
    },
    log: (line) => stream.write(`  ${line}\n`),
  };
}
