import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { NotFoundPage } from './error-pages.tsx';

/** Renders the page of the resource whose id is in the URL. */
export function ResourcePage({ of: show }: { of: (id: number) => ReactNode }) {
  const id = Number(useParams()['id']);
  return Number.isSafeInteger(id) && id > 0 ? show(id) : <NotFoundPage />;
}
