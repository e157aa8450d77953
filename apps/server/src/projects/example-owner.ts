/**
 * Id of the account that owns the live example. No password, link, or email leads into it: sign-in, password resets, and
 * operators' lists of accounts leave it out, plans count nothing of it, and its project has no storage time.
 */
export const EXAMPLE_OWNER = "00000000-0000-4000-8000-000000000001";
