/** Everything of one project is below this key. */
export function projectKey(projectId: string): string {
  return `projects/${projectId}`;
}
