import { useEffect } from 'react';

/** Sets the tab title. Undefined while the page is loading. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? 'Milepost' : `${title} · Milepost`;
  }, [title]);
}
