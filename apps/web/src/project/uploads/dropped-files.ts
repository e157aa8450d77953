/** A chosen file with its path inside the dropped or picked folder ("outs/spatial/x.png"), or its bare name. */
export interface PickedFile {
  file: File;
  path: string;
}

export interface Picked {
  files: PickedFile[];
  /** Paths of files and folders that could not be read. */
  unreadable: string[];
}

/** Files of an <input type="file">, a folder picker included. */
export function pickedFiles(list: FileList): Picked {
  const files = Array.from(list, (file) => ({ file, path: file.webkitRelativePath || file.name }));
  return { files, unreadable: [] };
}

/**
 * Files of a drop, including those in folders; an unreadable entry does not affect the others. Must be called during
 * the drop event, because the items are gone afterward.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<Picked> {
  const entries = Array.from(transfer.items)
    .filter((item) => item.kind === "file")
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return pickedFiles(transfer.files);
  const found: Picked = { files: [], unreadable: [] };
  for (const entry of entries) await collect(entry, found);
  return found;
}

/** Adds the files at and below `entry` to `found`. */
async function collect(entry: FileSystemEntry, found: Picked): Promise<void> {
  const path = entry.fullPath.replace(/^\//, "");
  try {
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.files.push({ file, path });
    } else for (const child of await childrenOf(entry)) await collect(child, found);
  } catch {
    found.unreadable.push(path);
  }
}

async function childrenOf(entry: FileSystemEntry): Promise<FileSystemEntry[]> {
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const children: FileSystemEntry[] = [];
  // A reader hands out at most 100 entries at a time and an empty list at the end.
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
