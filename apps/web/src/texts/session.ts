export const SESSION_TEXTS = {
  updated: "Subscription updated successfully!",
  updateFailed: "Error updating subscription. Please contact support.",
  verifyFailed: "Failed to verify subscription",
  leaveUploads: "Files are still being uploaded. Sign out and stop them?",
  expiredTitle: "Session Expired",
  expiredText:
    "Please log in again. You will come back to this page, and what you have uploaded and started is safe.",
  expiredAction: "Log In",
};
