import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '../design/icons/page-icons.ts'

export const THEMES = [
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon }
] as const satisfies readonly { value: MantineColorScheme; label: string; Icon: unknown }[]

/** The chosen theme, kept in this browser, and how to choose another. */
export function useThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return { theme: colorScheme, chooseTheme: setColorScheme }
}
