import { Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { useSession } from '../session/session-context.ts';
import { endSession } from '../session/session-query.ts';
import { colorSchemes, useColorScheme } from '../theme/theme.ts';
import { announceProblem } from '../ui/announcements.tsx';
import { Icon } from '../ui/icon.tsx';
import { Name } from '../ui/name.tsx';
import styles from './frame.module.css';

export function AccountMenu() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const { colorScheme, setColorScheme } = useColorScheme();
  const name = user.name === '' ? user.username : user.name;
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <button type="button" className={styles['account']} aria-label={`Account of ${name}`}>
          <Icon name="person" size={18} />
          <Name text={name} />
          <Icon name="down" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={paths.account}>
          Your account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Theme</Menu.Label>
        <Menu.RadioGroup value={colorScheme}>
          {colorSchemes.map(({ value, name: scheme }) => (
            <Menu.RadioItem key={value} value={value} onChange={() => setColorScheme(value)}>
              {scheme}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => void endSession(queryClient).catch(announceProblem)}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
