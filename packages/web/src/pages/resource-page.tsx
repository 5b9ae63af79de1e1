import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { MissingPage } from './missing-page.tsx';

/** The page of what the address names by its id; of another one it begins anew. */
export function ResourcePage({ of: show }: { of: (id: number) => ReactNode }) {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? show(id) : <MissingPage />;
}
