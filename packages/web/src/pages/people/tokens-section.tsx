/** The API tokens of your own account, or of an account that you manage. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../table/data-table.tsx';
import { useNow } from '../../ui/now.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { NewTokenDialog, type TokenOwner } from './new-token-dialog.tsx';
import { RevokeTokenDialog } from './revoke-token-dialog.tsx';
import { isActive, tokenColumns } from './token-columns.tsx';
import { tokensQuery, type Token } from './user-queries.ts';
import styles from './people.module.css';

interface Props {
  title: string;
  owner: TokenOwner;
  /** False for deactivated accounts. */
  mayCreate?: boolean;
}

export function TokensSection({ title, owner, mayCreate = true }: Props) {
  const tokens = useQuery(tokensQuery(owner.id));
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token>();
  const add = mayCreate ? <Button onClick={() => setCreating(true)}>New token</Button> : undefined;
  return (
    <Section title={title} aside={add}>
      <p className={styles['about']}>
        Programs sign in with API tokens instead of passwords. Each token has its own permissions and an expiry date.
        {mayCreate ? '' : ' Activate the account to create tokens.'}
      </p>
      <QueryResult query={tokens} what="API tokens">
        {(data) => <Tokens tokens={data.tokens} onRevoke={setRevoking} />}
      </QueryResult>
      <NewTokenDialog owner={owner} opened={creating} onClose={() => setCreating(false)} />
      <RevokeTokenDialog userId={owner.id} token={revoking} onClose={() => setRevoking(undefined)} />
    </Section>
  );
}

function Tokens({ tokens, onRevoke }: { tokens: readonly Token[]; onRevoke: (token: Token) => void }) {
  const now = useNow();
  // Active tokens first, the newest at the top.
  const rows = tokens.toReversed().toSorted((a, b) => Number(isActive(b, now)) - Number(isActive(a, now)));
  if (rows.length === 0) return <MutedText>No API tokens yet.</MutedText>;
  return (
    <DataTable
      label="API tokens"
      columns={tokenColumns(now, onRevoke)}
      rows={rows}
      rowKey={({ id }) => String(id)}
      rowHeight={61}
    />
  );
}
