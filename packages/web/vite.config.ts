/** The pages, for the server to serve: `npm run build` bundles them, `npm run dev:web` serves them while they are written. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './build/budget.ts';
import { operationAddresses } from './build/operation-addresses.ts';
import { precompress } from './build/precompress.ts';

/** Where `npm run dev` serves the interface. */
const server = process.env['MILEPOST_DEV_SERVER'] ?? 'http://localhost:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), operationAddresses(), budget(), precompress()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // Nothing is inlined into the pages: their policy allows what comes from the server itself.
    assetsInlineLimit: 0,
    // Says with one element per file what is loaded first; the rest is asked for when it is needed.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/api': server, '/-': server } },
});
