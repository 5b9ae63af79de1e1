#!/usr/bin/env node
/** The command `milepost` without the server. It checks the Node version before it imports anything that an older Node cannot load. */
import module from 'node:module';

const oldest = { major: 24, minor: 6 };
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
  process.stderr.write(
    `Milepost needs Node ${oldest.major}.${oldest.minor} or later. This is Node ${process.version}.\n`,
  );
  process.exit(1);
}

// Compiled code is kept between starts.
module.enableCompileCache();
const { clientGroups, runCommandLine, withCompletion } = await import('./index.ts');
const { version } = await import('./version.ts');
const program = {
  version,
  examples: ['milepost login https://milepost.example.org', `milepost experiment list 'state:visual_qc in-state>3d'`],
  sections: [{ title: 'Commands', groups: withCompletion(clientGroups) }],
};
await runCommandLine(program, process.argv.slice(2), process.env);
