import { basename } from "node:path";

/**
 * Names of channels that are files of their own: the words in which the files' names differ ("DAPI" of S1_DAPI.ome.tif
 * beside S1_CD3.ome.tif), or whole names where nothing is shared.
 */
export function channelFileNames(paths: readonly string[]): string[] {
  const plain = paths.map((path) => basename(path).replace(/(\.ome)?\.[a-z]+$/i, ""));
  const words = plain.map((name) => name.split(/[\s_.()[\]-]+/).filter((word) => word !== ""));
  const length = words[0]?.length ?? 0;
  if (words.some((each) => each.length !== length)) return plain;
  const differing = [...Array(length).keys()].filter(
    (at) => new Set(words.map((each) => each[at])).size > 1,
  );
  return words.map((each, i) => differing.map((at) => each[at]).join(" ") || plain[i]);
}
