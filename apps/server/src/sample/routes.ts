import { createSampleProject } from "@stipple/contract";
import type { Mount } from "../http/route-adapter.ts";
import { newSampleProject, SAMPLE_NAME, type SampleParts } from "./sample-project.ts";

export function sampleRoutes(mount: Mount, parts: SampleParts): void {
  mount(createSampleProject, async ({ session }) => {
    const projectId = await newSampleProject(parts, session.userId);
    return { status: 201, body: { project_id: projectId, project_name: SAMPLE_NAME } };
  });
}
