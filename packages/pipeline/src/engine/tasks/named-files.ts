import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { TaskFiles } from "./task.ts";

/** Where a machine has a run's files. */
export interface Places {
  /** Folder of the input files. */
  input: string;
  /** Results folder. */
  results: string;
}

/** A file identified independently of the machine: in the run's input, its results, or the program itself. */
export interface NamedFile {
  in: keyof Places | "program";
  /** Relative, with "/". */
  path: string;
}

const PROGRAM = fileURLToPath(new URL("../../../", import.meta.url));

/** Names of files by their local paths; null if one is elsewhere, so that other machines cannot get it. */
export function nameFiles(files: TaskFiles, places: Places): Record<string, NamedFile> | null {
  const named: Record<string, NamedFile> = {};
  for (const [name, path] of Object.entries(files)) {
    const found = (["results", "input", "program"] as const).flatMap((place) => {
      const inside = relative(folderOf(place, places), path);
      return isInside(inside) ? [{ in: place, path: inside.split(sep).join("/") }] : [];
    });
    if (!found[0]) return null;
    named[name] = found[0];
  }
  return named;
}

/** Paths of named files on this machine. */
export function findFiles(named: Readonly<Record<string, NamedFile>>, places: Places): TaskFiles {
  return Object.fromEntries(
    Object.entries(named).map(([name, file]) => {
      if (!isInside(file.path)) throw new Error(`${file.path} points outside its folder`);
      return [name, join(folderOf(file.in, places), file.path)];
    }),
  );
}

function folderOf(place: NamedFile["in"], places: Places): string {
  return place === "program" ? PROGRAM : places[place];
}

function isInside(path: string): boolean {
  return path !== "" && !isAbsolute(path) && !path.split(/[\\/]/).includes("..");
}
