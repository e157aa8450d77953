/** "Mouse brain 1" → attachment; filename="Mouse_brain_1_analysis_results.zip", with the real name beside it. */
export function attachment(projectName: string): string {
  const suffix = "analysis_results.zip";
  const plain = projectName
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9.-]+/g, "_")
    .replace(/^[_.]+|[_.]+$/g, "")
    .slice(0, 80);
  const ascii = plain ? `${plain}_${suffix}` : suffix;
  // eslint-disable-next-line no-control-regex -- characters that no file system takes
  const full = `${projectName.replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, "_")}_${suffix}`;
  const encoded = encodeURIComponent(full.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
