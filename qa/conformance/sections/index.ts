/** The sections in the order of their dependencies. A new section is a file here and a line below. */
import type { Step } from '../step.ts';
import { callbacksAndExecutions } from './callbacks.ts';
import { cohorts } from './cohorts.ts';
import { externalLinks } from './external-links.ts';
import { externalSystems } from './external-systems.ts';
import { rolesAndUsers } from './roles-and-users.ts';
import { scans } from './scans.ts';
import { serviceOperations } from './service-operations.ts';
import { experiments } from './experiments.ts';
import { subjects } from './subjects.ts';
import { workflows } from './workflows.ts';

export const scenario: readonly Step[] = [
  ...serviceOperations,
  ...externalSystems,
  ...rolesAndUsers,
  ...subjects,
  ...cohorts,
  ...experiments,
  ...externalLinks,
  ...scans,
  ...workflows,
  ...callbacksAndExecutions,
];
