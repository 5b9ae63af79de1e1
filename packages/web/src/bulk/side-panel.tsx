/** A panel that pushes the page aside. On a narrow screen, it covers the page as a drawer. */
import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './side-panel.module.css';

export const WithPanel = ({ panel, children }: { panel: ReactNode; children: ReactNode }) => (
  <div className={styles['split']} data-open={panel ? true : undefined}>
    <div className={styles['page']}>{children}</div>
    {panel}
  </div>
);

interface Props {
  title: string;
  onClose: () => void;
  /** At the bottom. */
  foot?: ReactNode;
  children: ReactNode;
}

export function SidePanel(props: Props) {
  const isWide = useMediaQuery('(min-width: 1101px)', false, { getInitialValueInEffect: false });
  return isWide ? <Aside {...props} /> : <Covering {...props} />;
}

/** The focus moves into the panel when it opens, and back when it closes. */
function useFocusInside() {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const first = panel.current?.querySelector<HTMLElement>('input, textarea, [data-first]');
    (first ?? panel.current)?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return panel;
}

function Aside(props: Props) {
  const id = useId();
  const panel = useFocusInside();
  return (
    <aside ref={panel} tabIndex={-1} aria-labelledby={id} className={styles['aside']}>
      <Content {...props} heading={<h2 id={id}>{props.title}</h2>} />
    </aside>
  );
}

const Covering = (props: Props) => (
  <Drawer.Root opened onClose={props.onClose} position="right" size={440} transitionProps={{ duration: 0 }}>
    <Drawer.Overlay backgroundOpacity={0.3} />
    <Drawer.Content className={styles['covering'] ?? ''}>
      <Content {...props} heading={<Drawer.Title>{props.title}</Drawer.Title>} />
    </Drawer.Content>
  </Drawer.Root>
);

const Content = ({ heading, onClose, foot, children }: Props & { heading: ReactNode }) => (
  <div className={styles['content']}>
    <div className={styles['top']}>
      {heading}
      <button type="button" className={styles['close']} aria-label="Close" onClick={onClose}>
        <Icon name="close" size={16} />
      </button>
    </div>
    <div className={styles['in']}>{children}</div>
    {foot ? <div className={styles['foot']}>{foot}</div> : null}
  </div>
);
