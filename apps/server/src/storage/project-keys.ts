/** Everything of one project lies below this key. */
export function projectKey(projectId: string): string {
  return `projects/${projectId}`;
}

/** The complete input files, under Space Ranger's own names. */
export function inputKey(projectId: string): string {
  return `${projectKey(projectId)}/input`;
}

/** Files that are being uploaded and checked. */
export function incomingKey(projectId: string, slot: string): string {
  return `${projectKey(projectId)}/incoming/${slot}`;
}

/** Outputs of the pipeline. */
export function resultsKey(projectId: string): string {
  return `${projectKey(projectId)}/results`;
}
