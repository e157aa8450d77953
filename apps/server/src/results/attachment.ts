/** "Mouse brain 1" and "report.html" → "Mouse_brain_1_report.html": no spaces, and nothing that file systems refuse. */
export function downloadName(projectName: string, suffix: string): string {
  // eslint-disable-next-line no-control-regex -- characters that no file system takes
  const unfit = /[\s\u0000-\u001f\u007f/\\:*?"<>|]+/g;
  return `${projectName.toWellFormed().replace(unfit, "_")}_${suffix}`;
}

/** attachment; filename="Mouse_brain_1_report.html", with the real name next to it. */
export function attachment(projectName: string, suffix: string): string {
  const plain = projectName
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9.-]+/g, "_")
    .replace(/^[_.]+|[_.]+$/g, "")
    .slice(0, 80);
  const ascii = plain ? `${plain}_${suffix}` : suffix;
  const encoded = encodeURIComponent(downloadName(projectName, suffix)).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
