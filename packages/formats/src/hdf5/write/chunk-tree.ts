import type { SpooledChunk } from "./chunk-spool.ts";

/** Half of a node's maximum number of children: HDF5's default if the superblock gives no other number. */
const HALF = 32;
const MAX_CHILDREN = 2 * HALF;
/** Bytes of the chunk, skipped filters, offset in elements, offset within an element. */
const KEY = 24;
const NODE = 24 + (MAX_CHILDREN + 1) * KEY + MAX_CHILDREN * 8;
const UNDEFINED = 0xffff_ffff_ffff_ffffn;

interface Child {
  /** Number of the first chunk below this node. */
  first: number;
  address: number;
  bytes: number;
}

/**
 * HDF5's index of the chunks of a one-dimensional dataset: a version 1 B-tree whose nodes follow one another from
 * `address` on. `chunks` are in order, with their positions in the file, and have `length` elements each.
 */
export function chunkTree(
  chunks: readonly SpooledChunk[],
  length: number,
  address: number,
): { bytes: Buffer; root: number } {
  const nodes: Buffer[] = [];
  let children: Child[] = chunks.map(({ at, bytes }, first) => ({ first, address: at, bytes }));
  for (let level = 0; level === 0 || children.length > 1; level++) {
    const groups = Array.from({ length: Math.ceil(children.length / MAX_CHILDREN) }, (_, i) =>
      children.slice(i * MAX_CHILDREN, (i + 1) * MAX_CHILDREN),
    );
    const start = address + nodes.length * NODE;
    groups.forEach((group, i) => {
      const next = groups[i + 1]?.[0];
      const end = next ?? { first: chunks.length, address: 0, bytes: 0 };
      nodes.push(
        node(level, group, end, length, {
          left: i > 0 ? start + (i - 1) * NODE : null,
          right: next ? start + (i + 1) * NODE : null,
        }),
      );
    });
    children = groups.map(([{ first, bytes }], i) => ({
      first,
      bytes,
      address: start + i * NODE,
    }));
  }
  return { bytes: Buffer.concat(nodes), root: children[0].address };
}

function node(
  level: number,
  children: readonly Child[],
  end: Child,
  length: number,
  siblings: { left: number | null; right: number | null },
): Buffer {
  const out = Buffer.alloc(NODE);
  out.write("TREE", 0, "latin1");
  // Kind of tree (1 = chunks), level, children.
  out[4] = 1;
  out[5] = level;
  out.writeUInt16LE(children.length, 6);
  const address = (value: number | null, at: number): number =>
    out.writeBigUInt64LE(value === null ? UNDEFINED : BigInt(value), at);
  address(siblings.left, 8);
  address(siblings.right, 16);
  const key = ({ first, bytes }: Child, at: number): void => {
    out.writeUInt32LE(bytes, at);
    out.writeBigUInt64LE(BigInt(first * length), at + 8);
  };
  let at = 24;
  for (const child of children) {
    key(child, at);
    address(child.address, at + KEY);
    at += KEY + 8;
  }
  key(end, at);
  return out;
}
