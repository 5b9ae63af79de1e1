/**
 * `npm run build`: the packages as JavaScript; then the built server and worker are started, as what compiles may still not
 * find its files there.
 */
import { compilePackages } from './build-packages.ts';
import { checkBuiltServer } from './check-built-server.ts';

if (await compilePackages()) {
  await checkBuiltServer();
  console.log('The built server migrates and serves, the built worker runs a callback, and both stop.');
} else process.exitCode = 1;
