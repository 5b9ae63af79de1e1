#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/** The command `milepost`. It checks the Node version before it imports anything that an older Node cannot load. */
const oldest = { major: 24, minor: 6 };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
  console.error(`Milepost needs Node ${oldest.major}.${oldest.minor} or later. This is Node ${process.version}.`);
  process.exit(1);
}

const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
