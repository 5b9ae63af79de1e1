/** The permissions of all roles: permissions down, roles across. Many roles, or those in a small window, scroll in an area of their own. */
import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { allows, groupsOf } from './permission-groups.ts';
import { allPermissions, permissionText, shownPermissions } from './permission-text.ts';
import styles from './roles.module.css';

interface Role {
  id: number;
  name: string;
  permissions: readonly string[];
}

interface Props {
  roles: readonly Role[];
  /** The role whose column is marked. */
  selected: number | undefined;
}

/** A wide window fits this many roles side by side, and the table scrolls with the page. */
const fewRoles = 8;

type Area = RefObject<HTMLElement | null>;

const isScrolled = (area: HTMLElement): boolean =>
  getComputedStyle(area).overflowX !== 'visible' &&
  (area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight);

/** Whether the area scrolls, which depends on the window and on its roles. */
function useScrolled(area: Area, roles: Props['roles']): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const { current } = area;
    if (!current) return undefined;
    const observer = new ResizeObserver(() => setScrolled(isScrolled(current)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [area, roles]);
  return scrolled;
}

/** The header of the selected role, which is scrolled into view. */
function useMarked(area: Area, selected: number | undefined) {
  const marked = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    if (!marked.current) return;
    area.current?.scrollIntoView({ block: 'nearest' });
    marked.current.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [area, selected]);
  return marked;
}

export function RoleComparison({ roles, selected }: Props) {
  const area = useRef<HTMLDivElement>(null);
  const scrolled = useScrolled(area, roles);
  const marked = useMarked(area, selected);
  const held = roles.flatMap(({ permissions }) => shownPermissions(permissions));
  const groups = groupsOf([...allPermissions, ...held]);
  return (
    // Without a tab stop, the keyboard could not scroll it.
    <div
      ref={area}
      className={styles['scrolled']}
      data-few={roles.length <= fewRoles || undefined}
      role="region"
      aria-label="Permissions of roles"
      tabIndex={scrolled ? 0 : undefined}
    >
      <table className={styles['comparison']} aria-label="Permissions of roles">
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {roles.map(({ id, name }) => (
              <th
                key={id}
                scope="col"
                ref={id === selected ? marked : undefined}
                data-selected={id === selected || undefined}
              >
                <bdi {...tooltip(name)}>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ title, permissions }) => (
          <tbody key={title}>
            <tr className={styles['group']}>
              <th scope="rowgroup">{title}</th>
              <td colSpan={roles.length} />
            </tr>
            {permissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">
                  <PermissionName permission={permission} />
                </th>
                {roles.map(({ id, permissions: all }) => (
                  <td key={id} data-selected={id === selected || undefined}>
                    <Mark isAllowed={allows(all, permission)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function PermissionName({ permission }: { permission: string }) {
  const text = permissionText(permission);
  return (
    <>
      <span>{text}</span>
      {text === permission ? null : <code>{permission}</code>}
    </>
  );
}

const Mark = ({ isAllowed }: { isAllowed: boolean }) => (
  <span className={styles['mark']} data-allowed={isAllowed || undefined}>
    <Icon name={isAllowed ? 'success' : 'none'} />
    <VisuallyHidden>{isAllowed ? 'Yes' : 'No'}</VisuallyHidden>
  </span>
);
