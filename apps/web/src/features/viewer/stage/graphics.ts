/** Who draws what WebGL is asked to draw. */
export type Graphics = "card" | "processor" | "none";

const POINTS = 30_000;
const SIDE_PX = 256;
/** A graphics card needs far less than this for so many points, a processor in its place more. */
const CARD_WITHIN_MS = 5;
const TRIES = 2;

let known: Graphics | undefined;

/** Finds out who draws by drawing, once for the page: names of cards are hidden by some browsers, and say little of speed. */
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
    // Places that are spread over the picture; 0.618… and 0.324… are far from any short fraction.
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
    // Reading waits until it is drawn.
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
