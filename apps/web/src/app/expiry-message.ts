/** Whether a posted message reports that the session expired: the bare string, or an object of that type. */
export function isExpiryMessage(data: unknown): boolean {
  if (data === "session_expired") return true;
  return (
    typeof data === "object" && data !== null && "type" in data && data.type === "session_expired"
  );
}
