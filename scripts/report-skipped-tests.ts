import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Ends a test run with a list of skipped tests, so that a missing tool is noticed, and with the three totals. */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const ended = (state: string) => tests.filter((test) => test.result().state === state);
    const skipped = ended("skipped");
    if (skipped.length > 0) {
      console.log("Skipped, because they were not asked for or need what is missing here:");
      for (const test of skipped) console.log(`  ${lineOf(test)}`);
    }
    console.log(
      `Tests: ${ended("passed").length} passed, ${ended("failed").length} failed, ${skipped.length} skipped`,
    );
  }
}

function lineOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" && result.note ? ` (${result.note})` : "";
  return `${test.module.relativeModuleId}: ${test.fullName}${note}`;
}
