/** The theme follows the system until the user chooses light or dark. The choice is stored in the browser. */
import { localStorageColorSchemeManager, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'milepost-color-scheme' });

export const colorSchemes: readonly { value: MantineColorScheme; name: string }[] = [
  { value: 'auto', name: 'System' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
];

export function useColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return { colorScheme, setColorScheme };
}
