/** The routes of all pages. Each page is a chunk that loads on demand. */
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { Frame } from './frame/frame.tsx';
import { ErrorFrame, ErrorPage, NotFoundPage } from './pages/error-pages.tsx';
import { paths } from './paths.ts';

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
    path: 'workflows/import',
    lazy: async () => ({
      Component: (await import('./pages/workflows/import/import-workflow-page.tsx')).ImportWorkflowPage,
    }),
  },
  {
    path: 'workflows/:id',
    lazy: async () => ({ Component: (await import('./pages/workflows/workflow-page.tsx')).WorkflowPage }),
  },
  {
    path: 'workflows/:id/definition',
    lazy: async () => ({
      Component: (await import('./pages/workflows/definition/definition-page.tsx')).DefinitionPage,
    }),
  },
  {
    path: 'experiments',
    lazy: async () => ({ Component: (await import('./pages/experiments/experiments-page.tsx')).ExperimentsPage }),
  },
  {
    path: 'experiments/:id',
    lazy: async () => ({ Component: (await import('./pages/experiments/experiment-page.tsx')).ExperimentPage }),
  },
  {
    path: 'actions/:id',
    lazy: async () => ({ Component: (await import('./pages/actions/action-page.tsx')).ActionPage }),
  },
  {
    path: 'callback_executions/:id',
    lazy: async () => ({ Component: (await import('./pages/executions/execution-page.tsx')).ExecutionPage }),
  },
  {
    path: 'cohorts',
    lazy: async () => ({ Component: (await import('./pages/cohorts/cohorts-page.tsx')).CohortsPage }),
  },
  {
    path: 'cohorts/:id',
    lazy: async () => ({ Component: (await import('./pages/cohorts/cohort-page.tsx')).CohortPage }),
  },
  {
    path: 'insights',
    lazy: async () => ({ Component: (await import('./pages/insights/insights-page.tsx')).InsightsPage }),
  },
  {
    path: 'subjects/:id',
    lazy: async () => ({ Component: (await import('./pages/subjects/subject-page.tsx')).SubjectPage }),
  },
  {
    path: 'bulk-operations',
    lazy: async () => ({
      Component: (await import('./pages/bulk-operations/bulk-operations-page.tsx')).BulkOperationsPage,
    }),
  },
  {
    path: 'bulk-operations/:id',
    lazy: async () => ({
      Component: (await import('./pages/bulk-operations/bulk-operation-page.tsx')).BulkOperationPage,
    }),
  },
  {
    path: 'imports',
    lazy: async () => ({ Component: (await import('./pages/imports/imports-page.tsx')).ImportsPage }),
  },
  {
    path: 'imports/new',
    lazy: async () => ({ Component: (await import('./pages/imports/new-import-page.tsx')).NewImportPage }),
  },
  {
    path: 'imports/:id',
    lazy: async () => ({ Component: (await import('./pages/imports/import-page.tsx')).ImportPage }),
  },
  {
    path: 'external_systems',
    lazy: async () => ({
      Component: (await import('./pages/external-systems/external-systems-page.tsx')).ExternalSystemsPage,
    }),
  },
  {
    path: 'configuration',
    lazy: async () => ({
      Component: (await import('./pages/configuration/configuration-page.tsx')).ConfigurationPage,
    }),
  },
  {
    path: 'users',
    lazy: async () => ({ Component: (await import('./pages/people/users-page.tsx')).UsersPage }),
  },
  {
    path: 'users/:id',
    lazy: async () => ({ Component: (await import('./pages/people/user-page.tsx')).UserPage }),
  },
  {
    path: 'roles',
    lazy: async () => ({ Component: (await import('./pages/people/roles-page.tsx')).RolesPage }),
  },
  {
    path: 'audit',
    lazy: async () => ({ Component: (await import('./pages/audit/audit-page.tsx')).AuditPage }),
  },
  {
    path: 'system',
    lazy: async () => ({ Component: (await import('./pages/system/system-page.tsx')).SystemPage }),
  },
  {
    path: 'help',
    lazy: async () => ({ Component: (await import('./pages/help/help-page.tsx')).HelpPage }),
  },
  {
    path: 'account',
    lazy: async () => ({ Component: (await import('./pages/account/account-page.tsx')).AccountPage }),
  },
  ...['states', 'transitions', 'callbacks', 'scans', 'external_systems'].map((redirected) => ({
    path: `${redirected}/:id`,
    lazy: async () => ({ Component: (await import('./pages/redirect-page.tsx')).RedirectPage }),
  })),
  // A failed single sign-on redirects here. Signed-in users go to the first page.
  { path: paths.signIn, element: <Navigate to={paths.attention} replace /> },
  { path: '*', Component: NotFoundPage },
];

export const createRouter = () =>
  createBrowserRouter([
    {
      Component: Frame,
      ErrorBoundary: ErrorFrame,
      HydrateFallback: () => null,
      children: [{ ErrorBoundary: ErrorPage, children: pages }],
    },
  ]);
