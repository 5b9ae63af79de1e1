/** The saved views and the commands of the palette. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { basePath } from '../api/client.ts';
import { paths } from '../paths.ts';
import { endSession } from '../session/session-query.ts';
import { colorSchemes, useColorScheme } from '../theme/theme.ts';
import { announceProblem } from '../ui/announcements.tsx';
import { setTimeDisplay, timeDisplays } from '../ui/time-display.ts';
import { useViews, viewPath } from '../views/use-views.ts';
import type { PaletteItem } from './palette-item.ts';
import { usePermittedPages } from './use-permitted-pages.ts';

const pages: readonly [name: string, path: string][] = [
  ['Needs attention', paths.attention],
  ['Workflows', paths.workflows],
  ['Experiments', paths.experiments],
  ['Cohorts', paths.cohorts],
  ['Insights', paths.insights],
  ['Bulk operations', paths.bulkOperations],
  ['Your account', paths.account],
];

const command = (name: string, detail: string, run: () => void): PaletteItem => ({ key: name, name, detail, run });

export function useCommands(): PaletteItem[] {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { setColorScheme } = useColorScheme();
  const views = useViews();
  return [
    ...views.map((view) => ({
      ...command(view.name, 'View', () => void navigate(viewPath(view))),
      key: `view ${view.id}`,
    })),
    ...[...pages, ...usePermittedPages()].map(([name, path]) => command(name, 'Go to', () => void navigate(path))),
    command('API reference', 'Go to', () => window.location.assign(`${basePath}/docs`)),
    ...colorSchemes.map(({ value, name }) =>
      command(`Theme: ${name.toLowerCase()}`, 'Display', () => setColorScheme(value)),
    ),
    ...timeDisplays.map(({ value, name }) => command(`Times: ${name}`, 'Display', () => setTimeDisplay(value))),
    command('Sign out', 'Account', () => void endSession(queryClient).catch(announceProblem)),
  ];
}
