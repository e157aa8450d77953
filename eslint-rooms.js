import { dirname, relative, resolve, sep } from "node:path";

/** The folder, below `root`, that a file belongs to; a file directly in `root` is a room of its own. */
function roomOf(path, root) {
  const [first] = relative(root, path).split(sep);
  return first.replace(/\.tsx?$/, "");
}

/** Why an import is not allowed, or null. */
function faultOf(from, to, { root: folder, order }) {
  const root = resolve(folder);
  if ([from, to].some((path) => relative(root, path).startsWith(".."))) return null;
  const [importer, imported] = [from, to].map((path) => roomOf(path, root));
  const [high, low] = [importer, imported].map((room) =>
    order.findIndex((line) => line.includes(room)),
  );
  if (importer === imported || (low >= 0 && low < high)) return null;
  return `${folder}/${importer} may not import ${folder}/${imported}: eslint.config.js lists the order of rooms.`;
}

/**
 * Imports between a folder's rooms go one way: a room may import only rooms listed on an earlier line. Rooms on one
 * line do not import each other. Also checks import(); a room that is not listed may neither import nor be imported.
 */
const rooms = {
  meta: { type: "problem", schema: { type: "array" } },
  create(context) {
    const check = ({ source }) => {
      const name = source?.value;
      if (typeof name !== "string" || !name.startsWith(".")) return;
      const path = resolve(dirname(context.filename), name);
      for (const folder of context.options) {
        const message = faultOf(context.filename, path, folder);
        if (message) context.report({ node: source, message });
      }
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default { rules: { rooms } };
