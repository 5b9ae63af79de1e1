/** The Mantine theme: one accent colour, quiet controls, small radii. It is light or dark. */
import {
  Button,
  createTheme,
  Drawer,
  Input,
  localStorageColorSchemeManager,
  Menu,
  Modal,
  useMantineColorScheme,
  type MantineColorScheme,
  type MantineColorsTuple,
} from '@mantine/core';
import controls from './controls.module.css';

const accent: MantineColorsTuple = [
  '#e3f1f0',
  '#cbe6e4',
  '#a3d3d0',
  '#79c0bc',
  '#54ada9',
  '#329b97',
  '#158383',
  '#0d6e6e',
  '#0d7474',
  '#094c4c',
];

/** The page keeps its scrollbar, so that nothing shifts when an overlay opens. */
const overlaid = {
  transitionProps: { duration: 0 },
  overlayProps: { backgroundOpacity: 0.3 },
  removeScrollProps: { removeScrollBar: false },
};

export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 8 },
  fontFamily: "'Inter', system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '7px', lg: '10px', xl: '16px' },
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { variant: 'default', size: 'sm' },
      classNames: { root: controls.button ?? '' },
    }),
    Input: Input.extend({ classNames: { input: controls.input ?? '' } }),
    InputWrapper: Input.Wrapper.extend({
      classNames: { error: controls.error ?? '', description: controls.description ?? '' },
    }),
    Menu: Menu.extend({
      defaultProps: { shadow: 'none', transitionProps: { duration: 0 } },
      classNames: { dropdown: controls.dropdown ?? '' },
    }),
    Modal: Modal.extend({
      defaultProps: overlaid,
    }),
    ModalRoot: Modal.Root.extend({
      defaultProps: { removeScrollProps: overlaid.removeScrollProps },
    }),
    Drawer: Drawer.extend({
      defaultProps: overlaid,
    }),
  },
});

/** The colour scheme follows the system until the user chooses light or dark. The choice is stored in the browser. */
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
