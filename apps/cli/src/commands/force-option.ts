import { Option } from "commander";

/** For commands that analyze samples. */
export function forceOption(): Option {
  return new Option(
    "--force",
    "continue even if the image does not seem to match the spots, or memory or disk space seems too small",
  );
}
