import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs the journeys that need the sample's results last, so that nothing waits while the sample is analyzed.
 */
export default class JourneysInOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean =>
      moduleId.endsWith("/e2e/sample-journey.test.ts") ||
      readFileSync(moduleId, "utf8").includes("finishedSample()");
    return sorted.toSorted((a, b) => Number(isWaiting(a)) - Number(isWaiting(b)));
  }
}
