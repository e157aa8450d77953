/** Red for texts that contain 'Error', blue for others, also for failures, which their icon shows. */
export function messageTone(text: string): "bad" | "info" {
  return text.includes("Error") ? "bad" : "info";
}
