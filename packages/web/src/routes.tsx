/** Every page and where it is. Each is a file of its own, fetched when somebody goes there. */
import { createBrowserRouter, type RouteObject } from 'react-router';
import { Frame } from './frame/frame.tsx';
import { BrokenPage } from './pages/broken-page.tsx';
import { MissingPage } from './pages/missing-page.tsx';

const pages: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('./pages/attention/attention-page.tsx')).AttentionPage }),
  },
  {
    path: 'workflows',
    lazy: async () => ({ Component: (await import('./pages/workflows/workflows-page.tsx')).WorkflowsPage }),
  },
  {
    path: 'workflows/:id',
    lazy: async () => ({ Component: (await import('./pages/workflow/workflow-page.tsx')).WorkflowPage }),
  },
  {
    path: 'experiments',
    lazy: async () => ({ Component: (await import('./pages/experiments/experiments-page.tsx')).ExperimentsPage }),
  },
  { path: '*', Component: MissingPage },
];

export const createRouter = () =>
  createBrowserRouter([
    {
      Component: Frame,
      ErrorBoundary: BrokenPage,
      HydrateFallback: () => null,
      children: [{ ErrorBoundary: BrokenPage, children: pages }],
    },
  ]);
