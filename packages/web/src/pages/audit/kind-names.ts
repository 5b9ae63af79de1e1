import type { ChangeKind } from '@milepost/api';

/** The word at the end of an entry, and the name of the tab. */
export const kindNames: Readonly<Record<ChangeKind, readonly [one: string, tab: string]>> = {
  move: ['Move', 'Moves'],
  decision: ['Decision', 'Decisions'],
  correction: ['Correction', 'Corrections'],
  data: ['Data', 'Data'],
  access: ['Access', 'Access'],
  workflow: ['Workflow', 'Workflows'],
  import: ['Import', 'Imports'],
  bulk: ['Bulk', 'Bulk operations'],
  setting: ['Setting', 'Settings'],
  run: ['Run', 'Runs'],
  sign_in: ['Sign-in', 'Sign-ins'],
};
