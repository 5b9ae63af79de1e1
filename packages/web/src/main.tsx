import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from './api/query-client.ts';
import { createRouter } from './routes.tsx';
import { SessionGate } from './session/session-gate.tsx';
import { colorSchemeManager, theme } from './theme/theme.ts';

const root = document.querySelector('#root');
if (!root) throw new Error('The element #root is missing');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} colorSchemeManager={colorSchemeManager} defaultColorScheme="auto">
      <QueryClientProvider client={createQueryClient()}>
        <SessionGate>
          <RouterProvider router={createRouter()} />
        </SessionGate>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
