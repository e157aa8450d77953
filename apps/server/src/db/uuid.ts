/** Ids as projects have them: PostgreSQL refuses to compare others. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
