/**
 * Whether an error of S3's library, which notes its attempts in all of them, says that the server cannot be reached or
 * has too much to do: trying again later makes sense.
 */
export function isStorageAway(error: unknown): boolean {
  const { $metadata } = (error ?? {}) as { $metadata?: { httpStatusCode?: number } };
  const { httpStatusCode: status = 503 } = $metadata ?? {};
  return $metadata !== undefined && (status >= 500 || status === 429);
}
