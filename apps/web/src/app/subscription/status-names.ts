const NAMES: Record<string, string> = {
  trial: "Trial",
  active: "Active",
  expired: "Expired",
  cancelled: "Cancelled",
};

/** The status as a word; a status that no subscription has is returned unchanged. */
export function statusName(status: string): string {
  return NAMES[status] ?? status;
}

export const UNLIMITED_TEXT = "Unlimited";
