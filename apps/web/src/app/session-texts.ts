export const SESSION_TEXTS = {
  updated: "Subscription updated successfully!",
  updateFailed: "Error updating subscription. Please contact support.",
  verifyFailed: "Failed to verify subscription",
  slow: "The server is slow to respond. You are still signed in; this page will open as soon as it does.",
  leaveUploads: "Files are still uploading. Sign out and stop the uploads?",
  ended: "Your session has ended. Please log in again; you'll return to where you were.",
  expiredTitle: "Session Expired",
  expiredText: "Please log in again. You'll return to this page; your uploads and runs are safe.",
  expiredAction: "Log In",
};
