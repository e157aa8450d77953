/** A stored file cannot be read as it was written; the message tells its user what to do. */
export class DamagedFileError extends Error {
  override readonly name = "DamagedFileError";
}

/** A run has replaced or removed a file since its row was read. */
export class FileReplacedError extends Error {
  override readonly name = "FileReplacedError";
}
