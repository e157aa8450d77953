/** Red for texts that contain 'Error', blue for others; a failure without the word is red by `failed`. */
export function messageTone(text: string, failed = false): "bad" | "info" {
  return failed || text.includes("Error") ? "bad" : "info";
}
