/** Which colours are hard to tell apart, with full colour vision and with each kind of colour blindness. */
export type Rgb = readonly [r: number, g: number, b: number];
type Matrix = readonly [Rgb, Rgb, Rgb];

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
export const rgbOf = (hex: string): Rgb => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return [r, g, b];
};
export const dot = (a: Rgb, b: Rgb) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const within = (value: number) => Math.min(1, Math.max(0, value));
const applied = ([r, g, b]: Matrix, colour: Rgb): Rgb => [
  within(dot(r, colour)),
  within(dot(g, colour)),
  within(dot(b, colour)),
];

/** Complete colour blindness as simulated by Machado, Oliveira and Fernandes (2009). */
const visions: Record<string, Matrix> = {
  'full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

export const visionNames = Object.keys(visions);

/** Oklab, in which equal distances look equally different. */
const oklab = (colour: Rgb): Rgb => {
  const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], colour));
  const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], colour));
  const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], colour));
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
    dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
    dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
  ];
};

/** A just noticeable difference is about 0.02. */
const clearDifference = 0.06;

const known = new Map<string, readonly (readonly [vision: string, seen: Rgb])[]>();

/** How a colour looks with each vision. */
function seenColours(colour: string) {
  const seen =
    known.get(colour) ??
    Object.entries(visions).map(([name, vision]) => [name, oklab(applied(vision, rgbOf(colour)))] as const);
  known.set(colour, seen);
  return seen;
}

/** The kinds of vision with which two colours look similar. */
export function similarWith(one: string, other: string): string[] {
  const others = seenColours(other);
  return seenColours(one).flatMap(([vision, a], index) => {
    const b = others[index]?.[1] ?? a;
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) < clearDifference ? [vision] : [];
  });
}
