/** The product's intervals, in milliseconds. */
export const STATUS_POLL_MS = 10_000;
export const QUEUE_POLL_MS = 5_000;
export const SUBSCRIPTION_REFRESH_MS = 30_000;
export const TRIAL_BANNER_REFRESH_MS = 60_000;
export const AFTER_REGISTER_MS = 5_000;
export const AFTER_PAYMENT_RETURN_MS = 2_000;
export const LOGOUT_REDIRECT_MS = 100;
export const TOAST_MS = 3_000;
/** Transactions of the same plan this close together are shown as one. */
export const TRANSACTION_MERGE_MS = 10_000;
