/** The tokens of an account: one's own, or somebody's whose tokens one manages. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Answer } from '../shown/answer.tsx';
import { useNow } from '../shown/now.ts';
import { Nothing, Section } from '../shown/section.tsx';
import { DataTable } from '../table/data-table.tsx';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { tokenColumns } from './token-columns.tsx';
import { isOpen, tokensQuery, type Token } from './tokens-query.ts';
import styles from './people.module.css';

interface Props {
  title: string;
  userId: number;
  /** What there is to choose from: a token does no more than its owner may. */
  permissions: readonly string[];
  /** An account that is not active gets none. */
  mayCreate?: boolean;
}

export function TokensSection({ title, userId, permissions, mayCreate = true }: Props) {
  const tokens = useQuery(tokensQuery(userId));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const add = mayCreate ? <Button onClick={() => setCreating(true)}>Create a token…</Button> : undefined;
  return (
    <Section title={title} aside={add}>
      <p className={styles['about']}>
        Programs send a token instead of a password. It does what it was created for, and ends by itself.
      </p>
      <Answer of={tokens} what="tokens">
        {(data) => <Tokens tokens={data.tokens} onRevoke={setRevoking} />}
      </Answer>
      <NewTokenDialog userId={userId} permissions={permissions} opened={creating} onClose={() => setCreating(false)} />
      <RevokeDialog userId={userId} token={revoking} onClose={() => setRevoking(undefined)} />
    </Section>
  );
}

function Tokens({ tokens, onRevoke }: { tokens: readonly Token[]; onRevoke: (token: Token) => void }) {
  const now = useNow();
  // The newest first, and those that are over behind all others.
  const rows = tokens.toReversed().toSorted((a, b) => Number(isOpen(b, now)) - Number(isOpen(a, now)));
  if (rows.length === 0) return <Nothing>There is no token.</Nothing>;
  return (
    <DataTable
      label="Tokens"
      columns={tokenColumns(now, onRevoke)}
      rows={rows}
      rowKey={({ id }) => String(id)}
      rowHeight={61}
    />
  );
}
