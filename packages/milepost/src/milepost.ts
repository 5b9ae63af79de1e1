#!/usr/bin/env -S node --max-old-space-size=1024 --max-semi-space-size=16
/** The program that people install. It looks at Node first, as an older one would stumble over what it does not know. */
const oldestNode = 24;

if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.error(`Milepost needs Node ${oldestNode} or later; this is ${process.version}.`);
  process.exit(1);
}

const { run } = await import('./run.ts');
await run(process.argv.slice(2), process.env);
