import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import parts from './mantine-parts.module.css'

/** Mill water: the one accent. The fifth serves dark ground, the eighth light ground. */
const mill: MantineColorsTuple = [
  '#e2f1f4',
  '#c4e3e9',
  '#9fd2dc',
  '#7accdd',
  '#5cbdd2',
  '#2b96ad',
  '#0b7f97',
  '#0b6477',
  '#09525f',
  '#063e49'
]

const slate: MantineColorsTuple = [
  '#e4ebef',
  '#c9d4db',
  '#a0b0bb',
  '#788995',
  '#51606b',
  '#33404a',
  '#1e282f',
  '#171f25',
  '#10161a',
  '#0b1013'
]

const danger: MantineColorsTuple = [
  '#fdeae7',
  '#f9d0cb',
  '#f5aea6',
  '#ff9489',
  '#ff9489',
  '#d8473b',
  '#c43428',
  '#b0271c',
  '#8f1e15',
  '#6d150e'
]

/** The tokens of tokens.css, given to Mantine's parts. */
export const theme = createTheme({
  colors: { mill, dark: slate, red: danger },
  primaryColor: 'mill',
  primaryShade: { light: 7, dark: 4 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-sm)',
    md: 'var(--text-md)',
    lg: 'var(--text-lg)',
    xl: 'var(--text-xl)'
  },
  lineHeights: {
    xs: 'var(--line)',
    sm: 'var(--line)',
    md: 'var(--line)',
    lg: 'var(--line)',
    xl: 'var(--line)'
  },
  spacing: {
    xs: 'var(--space-1)',
    sm: 'var(--space-2)',
    md: 'var(--space-4)',
    lg: 'var(--space-6)',
    xl: 'var(--space-8)'
  },
  radius: { xs: '3px', sm: 'var(--radius-small)', md: 'var(--radius)', lg: 'var(--radius)', xl: '12px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--text-xl)', lineHeight: 'var(--line-tight)' },
      h2: { fontSize: 'var(--text-lg)', lineHeight: 'var(--line-tight)' },
      h3: { fontSize: 'var(--text-md)', lineHeight: 'var(--line-tight)' }
    }
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 'lg' } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { classNames: { label: parts.label, description: parts.description, error: parts.error } },
    Checkbox: { classNames: { description: parts.optionHelp } },
    Radio: { classNames: { description: parts.optionHelp } },
    Switch: { classNames: { description: parts.optionHelp } },
    Select: { defaultProps: { checkIconPosition: 'right' } },
    SegmentedControl: { classNames: { root: parts.segments, label: parts.segment } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' }
      },
      classNames: { title: parts.dialogTitle, content: parts.dialog }
    },
    Menu: {
      defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false },
      classNames: { dropdown: parts.floating, item: parts.choice, itemSection: parts.choiceMark }
    },
    Combobox: { classNames: { dropdown: parts.floating, option: parts.choice } },
    Popover: { defaultProps: { shadow: 'md' }, classNames: { dropdown: parts.floating } },
    Tooltip: { defaultProps: { openDelay: 350 }, classNames: { tooltip: parts.tooltip } },
    Drawer: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      classNames: { title: parts.dialogTitle }
    },
    Skeleton: { classNames: { root: parts.skeleton } },
    Mark: { classNames: { root: parts.mark } },
    Notifications: { classNames: { root: parts.notifications } },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } },
      classNames: { root: parts.notification, description: parts.notificationWords }
    }
  }
})

export const cssVariables: CSSVariablesResolver = () => {
  const colours = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-quiet)',
    '--mantine-color-placeholder': 'var(--text-quiet)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--state-failed)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--surface-hover)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-border': 'var(--border-strong)',
    '--mantine-color-gray-text': 'var(--text-quiet)',
    '--mantine-color-gray-light-color': 'var(--text-quiet)',
    '--mantine-color-mill-light-color': 'var(--accent)',
    '--mantine-color-mill-text': 'var(--accent)',
    '--mantine-color-red-text': 'var(--state-failed)'
  }
  return {
    variables: {
      '--mantine-shadow-md': 'var(--shadow-floating)',
      '--mantine-shadow-xl': 'var(--shadow-floating)'
    },
    light: colours,
    // White words on a filled ground need it darker than the accent that lines and words have here.
    dark: {
      ...colours,
      '--mantine-color-mill-filled': '#12788e',
      '--mantine-color-mill-filled-hover': '#0f7085',
      '--mantine-color-red-filled': '#c43428',
      '--mantine-color-red-filled-hover': '#b0271c'
    }
  }
}
