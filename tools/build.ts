/** `npm run build`: compiles the packages, then starts the built server and worker to check that they find their files. */
import { compilePackages } from './build-packages.ts';
import { checkBuiltServer } from './check-built-server.ts';

if (await compilePackages()) {
  await checkBuiltServer();
  console.log('The built server migrated and served, the built worker ran a callback, and both stopped.');
} else process.exitCode = 1;
