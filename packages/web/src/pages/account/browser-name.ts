/** Short names for user agents, so that users can tell their browsers apart. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (names: readonly [RegExp, string][], text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** Returns, for example, `Firefox on Windows`, and the user agent itself if it is not a known browser. */
export function browserName(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent;
  return system === undefined ? browser : `${browser} on ${system}`;
}
