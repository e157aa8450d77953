/** What executes WebGL: a graphics card, or the CPU. */
export type Graphics = "card" | "processor" | "none";

const POINTS = 30_000;
const SIDE_PX = 256;
/** A graphics card draws this many points in far less time than this; a CPU takes longer. */
const CARD_WITHIN_MS = 5;
const TRIES = 2;

let known: Graphics | undefined;

/** Times a test drawing, once per page: some browsers hide GPU names, which say little about speed anyway. */
export function graphics(): Graphics {
  return (known ??= probe());
}

function probe(): Graphics {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE_PX;
  const gl = canvas.getContext("webgl2", { antialias: false });
  if (!gl) return "none";
  const program = gl.createProgram();
  const shaders = [
    // Points spread over the image; 0.618… and 0.324… are far from any simple fraction.
    [
      gl.VERTEX_SHADER,
      "void main() { float n = float(gl_VertexID); gl_PointSize = 2.0; gl_Position = vec4(2.0 * fract(n * vec2(0.6180340, 0.3247180)) - 1.0, 0.0, 1.0); }",
    ],
    [
      gl.FRAGMENT_SHADER,
      "precision mediump float; out vec4 color; void main() { color = vec4(0.5); }",
    ],
  ] as const;
  for (const [type, source] of shaders) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, `#version 300 es\n${source}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  const pixel = new Uint8Array(4);
  const timed = (points: number): number => {
    const start = performance.now();
    gl.drawArrays(gl.POINTS, 0, points);
    // Reading waits until drawing has finished.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    return performance.now() - start;
  };
  timed(1);
  let fastest = Infinity;
  for (let n = 0; n < TRIES && fastest >= CARD_WITHIN_MS; n++)
    fastest = Math.min(fastest, timed(POINTS));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return fastest < CARD_WITHIN_MS ? "card" : "processor";
}
