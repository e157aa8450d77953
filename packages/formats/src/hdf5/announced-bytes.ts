/** How many bytes an HDF5 file must have, by the superblock that it begins with; 0 where that says nothing. */
export function announcedBytes(head: Buffer): number {
  if (head.length < 64 || head.toString("latin1", 1, 4) !== "HDF") return 0;
  // The end-of-file address comes after two (version 0, 1) or one (2, 3) addresses of 8 bytes.
  const version = head[8];
  const addressBytes = version < 2 ? head[13] : head[9];
  const end = version === 0 ? 40 : version === 1 ? 44 : 28;
  return addressBytes === 8 && version <= 3 ? Number(head.readBigUInt64LE(end)) : 0;
}
