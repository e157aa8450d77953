export const SESSION_TEXTS = {
  updated: "Subscription updated successfully!",
  updateFailed: "Error updating subscription. Please contact support.",
  verifyFailed: "Failed to verify subscription",
  expiredTitle: "Session Expired",
  expiredText:
    "Your session has expired. Please log in again; you will come back to this page and nothing you entered on the server is lost.",
  expiredAction: "Log In",
};
