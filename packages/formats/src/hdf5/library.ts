import h5wasm, { Dataset, File as H5File, Group } from "h5wasm/node";

/**
 * The only module that may import h5wasm (a lint rule), because it mends what h5wasm does when HDF5 fails: h5wasm
 * ignores the status, prints HDF5's messages and returns whatever was in the memory it had reserved, so a damaged
 * chunk would become counts.
 */
export { Dataset, Group, H5File };

/** HDF5 could not do what was asked: the file is damaged, or uses what this build of HDF5 lacks. */
export class HDF5Error extends Error {
  override readonly name = "HDF5Error";
}

type Call = (...args: unknown[]) => unknown;

interface FileSystem {
  write(
    stream: { fd: number },
    bytes: Uint8Array,
    offset: number,
    length: number,
    at?: number,
  ): number;
  open(path: string, flags: number | string, ...rest: unknown[]): unknown;
  ErrnoError: new (errno: number) => Error;
}

/** The compiled library: its functions by name, its memory, and its view of this machine's files. */
export interface Library extends Record<string, unknown> {
  FS: FileSystem;
  HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  activate_throwing_error_handler(): number;
  deactivate_throwing_error_handler(): number;
}

/** Everything that reads. A failure shows as a message; those that return a status also return a negative one. */
const READING = [
  "open",
  "close_file",
  "get_names",
  "get_attribute_names",
  "get_attribute_metadata",
  "get_attribute_data",
  "get_dataset_metadata",
  "get_dataset_filters",
  "get_dataset_data",
  "create_object_reference",
  "reclaim_vlen_memory",
  "reclaim_vlen_memory_count",
];
/** Those that say how texts are stored. */
const DESCRIBING = ["get_attribute_metadata", "get_dataset_metadata"];
/** These look where a link leads, and say so when it leads nowhere, which is no failure of the file. */
const LOOKING = ["get_type", "get_symbolic_link", "get_external_link"];
const STANDARD_ERROR = 2;

let library: Promise<Library> | null = null;

/**
 * HDF5, made to throw an {@link HDF5Error} from every read that fails, in this thread from the first call on. It must
 * be called before a file is opened.
 */
export function openLibrary(): Promise<Library> {
  return (library ??= (async () => {
    const module = (await h5wasm.ready) as unknown as Library;
    makeThrow(module);
    return module;
  })());
}

function makeThrow(module: Library): void {
  let said: string | null = null;
  const write = module.FS.write.bind(module.FS);
  module.FS.write = (stream, bytes, offset, length, at) => {
    if (stream.fd !== STANDARD_ERROR || said === null) {
      return write(stream, bytes, offset, length, at);
    }
    said += Buffer.from(bytes.subarray(offset, offset + length)).toString("latin1");
    return length;
  };
  const listen = (name: string, fails: (result: unknown, said: string) => boolean): void => {
    const call = (module[name] as Call).bind(module);
    module[name] = (...args: unknown[]) => {
      const outer = said;
      said = "";
      try {
        const result = call(...args);
        if (fails(result, said)) throw new HDF5Error(`${name}: ${innermost(said)}`);
        return result;
      } finally {
        said = outer;
      }
    };
  };
  for (const name of READING) {
    listen(
      name,
      (result, words) => words !== "" || Number(typeof result === "object" ? 0 : result) < 0,
    );
  }
  for (const name of LOOKING) listen(name, () => false);
  for (const name of DESCRIBING) readAsUtf8(module, name);
  // Whatever a failed read leaves unfilled is 0. Otherwise h5wasm would free strings at addresses that never were.
  const reserve = module._malloc.bind(module);
  module._malloc = (bytes) => {
    const at = reserve(bytes);
    if (at !== 0) module.HEAPU8.fill(0, at, at + bytes);
    return at;
  };
}

const [ASCII, UTF_8] = [0, 1];

/**
 * NumPy and R declare texts of fixed length as ASCII, whatever is in them, which is UTF-8 ("Müller glia"). ASCII is part
 * of it, but h5wasm would read Latin letters.
 */
function readAsUtf8(module: Library, name: string): void {
  const call = module[name] as Call;
  module[name] = (...args: unknown[]) => {
    const described = call(...args) as { cset: number };
    if (described.cset === ASCII) described.cset = UTF_8;
    return described;
  };
}

/** The cause at the bottom of HDF5's messages, for logs. */
function innermost(said: string): string {
  return (
    said
      .split("\n")
      .findLast((line) => line.includes("): "))
      ?.replace(/^.*?\): /, "") ?? "failed"
  );
}
