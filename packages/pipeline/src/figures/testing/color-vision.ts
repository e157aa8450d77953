export const VISIONS = ["usual", "protan", "deutan", "tritan"] as const;
export type Vision = (typeof VISIONS)[number];

export type Lab = readonly [number, number, number];

/** Machado, Oliveira & Fernandes (2009), severity 1, for linear RGB. */
const SEEN: Record<Vision, readonly (readonly [number, number, number])[]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** CIELAB (D65) of an sRGB color (0–255 per channel) as someone with this vision sees it. */
export function labSeenBy(vision: Vision, rgb: readonly number[]): Lab {
  const linear = rgb.map((value) => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = SEEN[vision].map((row) =>
    Math.min(1, Math.max(0, row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2])),
  );
  const bend = (t: number): number =>
    t > 216 / 24_389 ? Math.cbrt(t) : ((24_389 / 27) * t + 16) / 116;
  const x = bend((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = bend(0.2126729 * r + 0.7151522 * g + 0.072175 * b);
  const z = bend((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000, the difference between two colors in CIELAB (notation of Sharma, Wu & Dalal 2005). */
export function ciede2000([L1, a1, b1]: Lab, [L2, a2, b2]: Lab): number {
  const degree = Math.PI / 180;
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const G = 0.5 * (1 - Math.sqrt(meanC ** 7 / (meanC ** 7 + 25 ** 7)));
  const [x1, x2] = [(1 + G) * a1, (1 + G) * a2];
  const [C1, C2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const hue = (b: number, a: number): number => (Math.atan2(b, a) / degree + 360) % 360;
  const [h1, h2] = [hue(b1, x1), hue(b2, x2)];
  const gray = C1 * C2 === 0;
  let dh = gray ? 0 : h2 - h1;
  if (dh > 180) dh -= 360;
  if (dh < -180) dh += 360;
  const dH = 2 * Math.sqrt(C1 * C2) * Math.sin((dh / 2) * degree);
  const L = (L1 + L2) / 2;
  const C = (C1 + C2) / 2;
  let h = h1 + h2;
  if (!gray) {
    if (Math.abs(h1 - h2) > 180) h += h < 360 ? 360 : -360;
    h /= 2;
  }
  const T =
    1 -
    0.17 * Math.cos((h - 30) * degree) +
    0.24 * Math.cos(2 * h * degree) +
    0.32 * Math.cos((3 * h + 6) * degree) -
    0.2 * Math.cos((4 * h - 63) * degree);
  const SL = 1 + (0.015 * (L - 50) ** 2) / Math.sqrt(20 + (L - 50) ** 2);
  const SC = 1 + 0.045 * C;
  const SH = 1 + 0.015 * C * T;
  const turn = 30 * Math.exp(-(((h - 275) / 25) ** 2));
  const RT = -Math.sin(2 * turn * degree) * 2 * Math.sqrt(C ** 7 / (C ** 7 + 25 ** 7));
  const [l, c, s] = [(L2 - L1) / SL, (C2 - C1) / SC, dH / SH];
  return Math.sqrt(l * l + c * c + s * s + RT * c * s);
}
