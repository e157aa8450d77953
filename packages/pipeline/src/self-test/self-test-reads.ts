/** What the self-test needs of the sample. */
export const SELF_TEST_READS = [
  "sample/scale",
  "sample/segmentation",
  "spots/xy",
  "spots/cells",
  "spots/efficiency",
  "cells/xy",
  "cells/features",
  "features/name",
  "cells/observed",
  "cells/spot",
  "cells/membership",
  "genes/profile",
  "genes/spots",
  "genes/reliable",
  "genes/name",
  "genes/symbol",
] as const;
