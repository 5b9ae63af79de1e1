/** Builds the web pages: `npm run build` bundles them for the server, `npm run dev:web` serves them during development. */
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './vite-plugins/budget.ts';
import { rejectSchemas } from './vite-plugins/reject-schemas.ts';
import { precompress } from './vite-plugins/precompress.ts';

/** The server started by `npm run dev`. */
const server = process.env['MILEPOST_DEV_SERVER'] ?? 'http://localhost:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), rejectSchemas(), budget(), precompress()],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // Nothing is inlined, because the content security policy allows only files from the server.
    assetsInlineLimit: 0,
    // Preloads the first chunks with link elements. Other chunks load on demand.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The headers of a response take about 0.6 KB, so the modules of every page are in few files: 216 KB for the first page
    // instead of 252. The libraries stay in the cache of the browser if only our modules change.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/ },
            { name: 'shared', tags: ['$initial'] },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/api': server, '/-': server } },
});
