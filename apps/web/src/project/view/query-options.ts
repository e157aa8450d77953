/** Options of queries for what never changes, and is kept for the page's life. */
export const KEPT = { staleTime: Infinity, gcTime: Infinity, structuralSharing: false } as const;
/** Values take 4 bytes per cell: unused ones are dropped after two minutes. */
export const VALUES = { ...KEPT, gcTime: 120_000 } as const;
