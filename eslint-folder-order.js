import { dirname, relative, resolve, sep } from "node:path";

/** The folder, below `root`, that a file belongs to; a file directly in `root` counts as one. */
function partOf(path, root) {
  const [first] = relative(root, path).split(sep);
  return first.replace(/\.tsx?$/, "");
}

/** Why an import is not allowed, or null. */
function faultOf(from, to, { root: folder, order }) {
  const root = resolve(folder);
  if ([from, to].some((path) => relative(root, path).startsWith(".."))) return null;
  const [importer, imported] = [from, to].map((path) => partOf(path, root));
  const [high, low] = [importer, imported].map((part) =>
    order.findIndex((line) => line.includes(part)),
  );
  if (importer === imported || (low >= 0 && low < high)) return null;
  return `${folder}/${importer} may not import ${folder}/${imported}: eslint.config.js lists the order of folders.`;
}

/**
 * Imports between the folders of `root` go one way: each may import only those listed on an earlier line. Those on one
 * line do not import each other. Also checks import(); a folder that is not listed may neither import nor be imported.
 */
const folderOrder = {
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

export default { rules: { "folder-order": folderOrder } };
