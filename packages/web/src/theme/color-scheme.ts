/** Light or dark: as the system is, until somebody chooses; the choice is remembered in this browser. */
import { localStorageColorSchemeManager, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'milepost-color-scheme' });

export const colorSchemes: readonly { value: MantineColorScheme; name: string }[] = [
  { value: 'auto', name: 'As the system' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

export function useColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return { colorScheme, setColorScheme };
}
