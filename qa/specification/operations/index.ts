/** All operations in the order of the specification. */
import type { Operation } from '../operation.ts';
import { actions } from './actions.ts';
import { callbacks } from './callbacks.ts';
import { cohorts } from './cohorts.ts';
import { experiments } from './experiments.ts';
import { externalLinks } from './external-links.ts';
import { externalSystems } from './external-systems.ts';
import { rolesAndUsers } from './roles-and-users.ts';
import { scans } from './scans.ts';
import { serviceOperations } from './service-operations.ts';
import { subjects } from './subjects.ts';
import { workflows } from './workflows.ts';

export const operations: readonly Operation[] = [
  ...actions,
  ...callbacks,
  ...cohorts,
  ...subjects,
  ...experiments,
  ...externalLinks,
  ...externalSystems,
  ...rolesAndUsers,
  ...scans,
  ...workflows,
  ...serviceOperations,
];
