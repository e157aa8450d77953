import { FIRST_STEP, LAST_STEP } from "../steps.ts";

/** Every expected refusal: its stable code, HTTP status and the sentence for the user (`error` in the response). */
export const ERRORS = {
  invalid_request: { status: 400, error: "The request is not valid." },
  request_late: {
    status: 408,
    error: "The request took too long to arrive. Please check your connection and try again.",
  },
  email_invalid: { status: 400, error: "Please enter a valid email address." },
  password_too_short: { status: 400, error: "Password must be at least 6 characters long." },
  passwords_differ: { status: 400, error: "Passwords do not match." },
  fields_required: { status: 400, error: "All fields are required" },
  email_taken: { status: 409, error: "An account with this email already exists. Please sign in." },
  credentials_wrong: { status: 401, error: "Invalid email or password." },
  password_wrong: { status: 403, error: "The password is incorrect." },
  reset_link_invalid: {
    status: 400,
    error: "This link is no longer valid. Please request a new one.",
  },
  code_wrong: {
    status: 403,
    error: "This code is incorrect or was already used. Please enter the newest one.",
  },
  sign_in_step_over: { status: 400, error: "This took too long. Please start again." },
  passkey_refused: { status: 403, error: "This passkey could not be verified. Please try again." },
  verification_link_invalid: {
    status: 400,
    error: "This link is no longer valid. Request a new one on your profile page.",
  },
  mail_not_sent: {
    status: 503,
    error: "The message could not be sent. Please try again later.",
  },
  unauthenticated: { status: 401, error: "Please log in to continue." },
  session_expired: { status: 401, error: "Your session has expired. Please log in again." },
  not_found: { status: 404, error: "Not found." },
  method_not_allowed: { status: 405, error: "This address does not support that method." },
  project_not_found: { status: 404, error: "Project not found." },
  study_not_found: { status: 404, error: "Study not found." },
  project_name_required: { status: 400, error: "Please enter a project name" },
  options_incomplete: { status: 400, error: "Please complete all analysis options selections" },
  resolution_required: {
    status: 400,
    error: "Please select a resolution for HD Visium analysis",
  },
  project_busy: {
    status: 409,
    error: "This project is queued or processing. Wait until it finishes.",
  },
  upload_slot_unknown: { status: 400, error: "There is no upload slot for this group and type." },
  upload_type_wrong: { status: 400, error: "This file type is not accepted here." },
  upload_chunk_invalid: { status: 400, error: "The chunk is not valid." },
  upload_chunk_damaged: {
    status: 400,
    error: "The chunk was damaged in transit. Please send it again.",
  },
  upload_file_invalid: { status: 422, error: "The file cannot be read." },
  upload_too_large: { status: 413, error: "The file is too large." },
  reference_not_found: { status: 404, error: "This reference is not kept anymore." },
  reference_missing: { status: 400, error: "Upload a reference to this project first." },
  reference_refused: { status: 422, error: "This reference cannot be kept." },
  inputs_missing: { status: 400, error: "Input files are missing." },
  inputs_unusable: { status: 422, error: "These files cannot be analyzed together." },
  workflow_active: {
    status: 403,
    error: "You already have a workflow in progress. Wait until it finishes.",
  },
  quota_used_up: {
    status: 403,
    error: "You have used all analyses in your plan. See /pricing to buy more.",
  },
  projects_used_up: {
    status: 403,
    error:
      "You have reached your plan's project limit. Delete a project you no longer need, or see /pricing.",
  },
  storage_used_up: {
    status: 403,
    error:
      "This file does not fit in your plan's storage. Delete a project you no longer need, or see /pricing.",
  },
  subscription_expired: {
    status: 403,
    error: "Your plan has expired. See /pricing to choose a new one.",
  },
  start_step_invalid: {
    status: 400,
    error: `start_step must be a whole number from ${FIRST_STEP} to ${LAST_STEP}.`,
  },
  results_not_ready: { status: 404, error: "Results are not ready yet." },
  file_damaged: {
    status: 500,
    error: "A stored file is damaged on the server. Run the workflow again.",
  },
  range_beyond_end: {
    status: 416,
    error: "The requested range is past the end of the file.",
  },
  file_changed: {
    status: 412,
    error: "The file has changed since its download began: download it again.",
  },
  results_outdated: {
    status: 409,
    error:
      "These results are from an earlier version of Stipple: run the workflow again from step 6.",
  },
  results_changed: {
    status: 409,
    error:
      "This project was analyzed again after the view was opened: reload the page to see the new results.",
  },
  download_not_in_trial: {
    status: 403,
    error: "Trial accounts cannot download results. Subscribe to download results.",
  },
  visualization_expired: { status: 403, error: "This visualization link has expired." },
  share_link_revoked: {
    status: 403,
    error: "This share link no longer works: its owner revoked it or replaced the sample.",
  },
  trial_ended: {
    status: 403,
    error: "The 4-day trial has ended, so its results are closed. See /pricing to choose a plan.",
  },
  limit_reached: { status: 409, error: "This project has reached its limit." },
  annotations_changed: {
    status: 409,
    error: "The annotations were changed elsewhere since this page read them. Nothing was lost.",
  },
  study_changed: {
    status: 409,
    error: "This study was changed elsewhere since this page read it, so nothing was saved.",
  },
  receipt_missing: { status: 404, error: "There is no receipt for this payment." },
  plan_unknown: { status: 400, error: "This plan does not exist." },
  plan_current: { status: 409, error: "This is your current plan." },
  downgrade_instead: {
    status: 409,
    error: "This plan is lower than your current one. Choose Downgrade Plan instead.",
  },
  no_downgrade: { status: 400, error: "No downgrade is scheduled." },
  not_a_downgrade: { status: 400, error: "This plan is not lower than your current one." },
  no_subscription: { status: 400, error: "There is no subscription to change." },
  payment_provider_failed: {
    status: 502,
    error: "The payment provider did not respond. Please try again.",
  },
  database_away: {
    status: 503,
    error: "The database is temporarily unavailable. Please try again in a few seconds.",
  },
  storage_away: {
    status: 503,
    error: "The file storage is temporarily unavailable. Please try again in a few seconds.",
  },
  stopping: {
    status: 503,
    error: "Stipple is being restarted. Please try again in a few seconds.",
  },
  rate_limited: { status: 429, error: "Too many attempts. Please wait a moment and try again." },
  storage_full: {
    status: 507,
    error:
      "The server's disk is full. Nothing was lost: try again once its operator has freed some space.",
  },
  internal: { status: 500, error: "Something went wrong on our side. Please try again." },
} as const satisfies Record<string, { status: number; error: string }>;

export type ErrorCode = keyof typeof ERRORS;
