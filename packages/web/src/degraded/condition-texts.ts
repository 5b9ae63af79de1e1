/** What a condition means for users, and what operators do about it. */
import type { Condition } from '@milepost/api';

interface ConditionText {
  title: string;
  meaning: string;
  remedy: string;
}

const texts: Record<Condition, ConditionText> = {
  database_unreachable: {
    title: 'The database does not respond.',
    meaning: 'Pages may be out of date, and changes fail.',
    remedy: 'Check that PostgreSQL is running and that the servers can reach it.',
  },
  database_read_only: {
    title: 'The database is read-only.',
    meaning: 'You can read everything, but changes fail.',
    remedy: 'Check whether DATABASE_URL leads to a standby server, and whether default_transaction_read_only is set.',
  },
  no_worker: {
    title: 'No worker is running.',
    meaning: 'You can move experiments, but their callbacks wait until a worker runs.',
    remedy: 'Start a worker with `milepost work`.',
  },
  queue_blocked: {
    title: 'Some callbacks do not start.',
    meaning: 'They wait in a queue that no worker reads. “Needs attention” shows the experiments.',
    remedy: 'Start a worker for each blocked queue below.',
  },
  checkpoints_overdue: {
    title: 'The history has not been signed for some time.',
    meaning: 'Changes are saved. Until the next checkpoint, the latest ones are not protected against tampering.',
    remedy: 'Check that a worker runs with MILEPOST_CHECKPOINT_KEY_FILE, and look for writeCheckpoints in its log.',
  },
};

const unknown: ConditionText = {
  title: 'Milepost does not work fully.',
  meaning: 'Reload this page for details.',
  remedy: '',
};

/** A newer server may know other conditions. */
export const textOfCondition = (name: string): ConditionText =>
  Object.hasOwn(texts, name) ? texts[name as Condition] : unknown;
