import { experimentChanges } from './experiment-changes.ts';
import { experimentInsight } from './experiment-insight.ts';
import { experimentRecords } from './experiment-records.ts';

export const experimentCommands = [...experimentRecords, ...experimentChanges, ...experimentInsight];
