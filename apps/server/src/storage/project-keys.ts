/** Everything of one project is below this key. */
export function projectKey(projectId: string): string {
  return `projects/${projectId}`;
}

/** Outputs of the pipeline. */
export function resultsKey(projectId: string): string {
  return `${projectKey(projectId)}/results`;
}
