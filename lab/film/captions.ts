/** A caption file (WebVTT): each caption lasts until the next one starts, the last until the end. */
export function captionFile(
  captions: readonly { text: string; at: number }[],
  seconds: number,
): string {
  const cues = captions.map(({ text, at }, index) => {
    const end = captions[index + 1]?.at ?? seconds;
    return `${timeText(at)} --> ${timeText(end - 0.05)}\n${text}\n`;
  });
  return `WEBVTT\n\n${cues.join("\n")}`;
}

function timeText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `00:${String(minutes).padStart(2, "0")}:${(seconds - 60 * minutes).toFixed(3).padStart(6, "0")}`;
}
