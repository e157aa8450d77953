/**
 * Environment of a process that runs steps; set by the parent, because a program's memory is set up before its first line.
 * By default glibc keeps the memory that threads free in up to eight heaps per core and rarely gives it back. With two
 * heaps, step 2 of a whole HD slide takes 1.39 GB instead of 1.61, and the same CPU time (docs/speed.md). Other C
 * libraries ignore it.
 */
export const STEP_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: "2" };
