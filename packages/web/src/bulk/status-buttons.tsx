/** Pauses, resumes and stops a bulk operation or an import. */
import { Button } from '@mantine/core';

export type StatusVerb = 'pause' | 'resume' | 'stop';

interface Props {
  status: string;
  /** For users who can only stop it. */
  onlyStop?: boolean;
  /** The verb whose request is being sent. */
  pending: string | undefined;
  onChange: (verb: StatusVerb) => void;
}

const names: Record<StatusVerb, string> = { pause: 'Pause', resume: 'Resume', stop: 'Stop' };

const verbsOf = (status: string): StatusVerb[] => [
  ...(status === 'running' ? (['pause'] as const) : []),
  ...(status === 'paused' ? (['resume'] as const) : []),
  'stop',
];

export const StatusButtons = ({ status, onlyStop = false, pending, onChange }: Props) =>
  (onlyStop ? (['stop'] as const) : verbsOf(status)).map((verb) => (
    <Button key={verb} loading={pending === verb} onClick={() => onChange(verb)}>
      {names[verb]}
    </Button>
  ));
