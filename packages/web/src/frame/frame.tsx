/** The frame around every page: navigation, search, live indicator and account menu. Users who cannot read see only their account. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router';
import { OperationEnds, RunningOperations } from '../bulk/running-operations.tsx';
import { useDegraded } from '../degraded/degraded.ts';
import { useCanRead, useSession } from '../session/session-context.ts';
import { useLiveData } from '../live/use-live-data.ts';
import { StateLooks } from '../status/use-state-look.tsx';
import { Announcements } from '../ui/announcements.tsx';
import { PageTooltip } from '../ui/tooltip.tsx';
import { AccountMenu } from './account-menu.tsx';
import { LiveIndicator } from './live-indicator.tsx';
import { Navigation, NarrowNavigation } from './navigation.tsx';
import { SearchButton } from './search-button.tsx';
import { usePaletteKey } from './use-palette-key.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useKeys } from '../ui/use-keys.ts';
import styles from './frame.module.css';

const DegradedBanner = lazy(async () => ({
  default: (await import('../degraded/degraded-banner.tsx')).DegradedBanner,
}));
const NoAccessFrame = lazy(async () => ({ default: (await import('./no-access-frame.tsx')).NoAccessFrame }));
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** Moves the focus to the page after a navigation, for keyboards and screen readers. */
function usePageFocus() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** Focuses the query field of the page. False if it has none. */
function focusQuery(): boolean {
  const field = document.querySelector<HTMLElement>('main [data-slash]');
  field?.focus();
  return field !== null;
}

/** Tells apart the tabs of several studies. */
function StudyName() {
  const { study_name: name } = useSession();
  return name === '' ? null : <bdi className={styles['study']}>{name}</bdi>;
}

function Degraded() {
  const names = useDegraded();
  return names === '' ? null : (
    <Suspense>
      <DegradedBanner names={names.split(', ')} />
    </Suspense>
  );
}

export const Frame = () =>
  useCanRead() ? (
    <StateLooks>
      <StudyFrame />
    </StateLooks>
  ) : (
    <Suspense>
      <NoAccessFrame />
    </Suspense>
  );

function StudyFrame() {
  const status = useLiveData();
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [paletteLoaded, setPaletteLoaded] = useState(false);
  if (paletteOpen && !paletteLoaded) setPaletteLoaded(true);
  const main = usePageFocus();
  const [keysShown, setKeysShown] = useState(false);
  usePaletteKey(setPaletteOpen);
  useRowKeys();
  useKeys({ '/': () => focusQuery() || setPaletteOpen(true), '?': () => setKeysShown(true) });
  return (
    <div className={styles['frame']}>
      <a className={styles['skip']} href="#page">
        Skip to content
      </a>
      <Navigation />
      <div className={styles['side']}>
        <header className={styles['header']}>
          <NarrowNavigation />
          <SearchButton onClick={() => setPaletteOpen(true)} />
          <StudyName />
          <LiveIndicator status={status} />
          <AccountMenu />
        </header>
        <Degraded />
        <RunningOperations narrow />
        <main id="page" ref={main} tabIndex={-1} className={styles['main']}>
          <Outlet />
        </main>
      </div>
      <Suspense>
        {paletteLoaded ? <Palette opened={paletteOpen} onClose={() => setPaletteOpen(false)} /> : null}
      </Suspense>
      <Suspense>{keysShown ? <KeysDialog opened onClose={() => setKeysShown(false)} /> : null}</Suspense>
      <Announcements />
      <OperationEnds />
      <PageTooltip />
      <ScrollRestoration />
    </div>
  );
}
