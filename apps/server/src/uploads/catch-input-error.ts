import { InputError } from "@stipple/pipeline/errors";

/** What `work` gives, or what `refused` makes of the sentence in which a reader refuses a file. */
export async function catchInputError<T>(
  work: Promise<T>,
  refused: (sentence: string) => T,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InputError) return refused(error.message);
    throw error;
  }
}
