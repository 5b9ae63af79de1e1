/** The parts of the installation that are no tables. */
import type { ReactNode } from 'react';
import { DescriptionList } from '../../ui/description-list.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { durationText } from '../../ui/times.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { SystemStatus } from './system-query.ts';
import styles from './system.module.css';

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `4.8 GB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${count(value < 10 && power > 0 ? Number(value.toFixed(1)) : Math.round(value))} ${units[power]}`;
}

const Warning = ({ children }: { children: ReactNode }) => <span className={styles['warning']}>{children}</span>;

export const VersionSection = ({ system: { version, migrations } }: { system: SystemStatus }) => (
  <Section title="Version">
    <DescriptionList
      items={[
        ['Milepost', version],
        [
          'Migrations',
          migrations.pending.length > 0 ? (
            <Warning>{count(migrations.pending.length)} pending. Run `milepost migrate`.</Warning>
          ) : (
            `All ${count(migrations.applied)} applied`
          ),
        ],
        [
          'Newer migrations',
          migrations.unknown.length === 0 ? null : (
            <Warning>{count(migrations.unknown.length)} from a newer version. Upgrade this server.</Warning>
          ),
        ],
      ]}
    />
  </Section>
);

/** Above this share of connections, the next server may get none. */
const fullShare = 0.9;

export function DatabaseSection({ database: of }: Pick<SystemStatus, 'database'>) {
  const connections = `${count(of.connections)} of ${count(of.max_connections)}`;
  return (
    <Section title="Database">
      <DescriptionList
        items={[
          ['PostgreSQL', of.version],
          ['Mode', of.read_only ? <Warning>Read-only</Warning> : 'Read and write'],
          ['Size', sizeText(of.size_bytes)],
          [
            'Connections',
            of.connections > fullShare * of.max_connections ? <Warning>{connections}</Warning> : connections,
          ],
          ['Standby servers', replicasText(of)],
          [
            'Longest lock wait',
            of.longest_lock_wait_seconds === null ? 'None' : durationText(of.longest_lock_wait_seconds),
          ],
        ]}
      />
    </Section>
  );
}

function replicasText({ replicas, replica_lag_seconds: lag }: SystemStatus['database']): string {
  if (replicas === 0) return 'None';
  return `${count(replicas)}, ${lag === null ? 'lag unknown' : `${durationText(lag)} behind`}`;
}

export function HistorySection({ checkpoints: of }: Pick<SystemStatus, 'checkpoints'>) {
  const { last_number: number, last_at: at, key_id: key, unsigned_since: since, verified_at: verifiedAt, fault } = of;
  return (
    <Section title="History">
      <DescriptionList
        items={[
          [
            'Last checkpoint',
            number === null || at === null ? (
              'None. Workers have no key to sign with.'
            ) : (
              <>
                No. {count(number)}, <Timestamp at={at} />
              </>
            ),
          ],
          ['Key', key === null ? null : <code>{key.slice(0, 16)}</code>],
          [
            'Verified',
            verifiedAt === null ? (
              'Never'
            ) : (
              <>
                <Timestamp at={verifiedAt} />
                {fault === null ? ', no faults' : <Warning>. Fault found: {fault}</Warning>}
              </>
            ),
          ],
          ['Oldest unsigned', number === null ? null : since === null ? 'None' : <Timestamp at={since} />],
        ]}
      />
    </Section>
  );
}

export const WorkSection = ({ system }: { system: SystemStatus }) => (
  <Section title="In progress">
    <DescriptionList
      items={[
        ['Bulk operations', count(system.active_bulk_operations)],
        ['Imports', count(system.active_imports)],
      ]}
    />
  </Section>
);
