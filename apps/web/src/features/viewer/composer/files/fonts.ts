import boldUrl from "@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf?url";
import regularUrl from "@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?url";
import variableUrl from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";

/** Inter for PDF files. */
export async function pdfFonts(): Promise<{ regular: ArrayBuffer; bold: ArrayBuffer }> {
  const [regular, bold] = await Promise.all([fetched(regularUrl), fetched(boldUrl)]);
  return { regular, bold };
}

/** A style sheet with Inter in it: pictures see no fonts of the page. */
export async function pictureStyle(): Promise<string> {
  const file = new Blob([await fetched(variableUrl)], { type: "font/woff2" });
  return `@font-face{font-family:"Inter Variable";font-weight:100 900;src:url("${await dataUrl(file)}") format("woff2")}`;
}

async function fetched(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`The font could not be loaded: ${answer.status}.`);
  return answer.arrayBuffer();
}

function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("A font could not be read."));
    reader.readAsDataURL(file);
  });
}
