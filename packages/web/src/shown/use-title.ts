import { useEffect } from 'react';

/** The title of the tab; undefined while the name of what is shown is not known yet. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? 'Milepost' : `${title} · Milepost`;
  }, [title]);
}
