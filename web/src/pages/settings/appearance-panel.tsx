import type { MantineColorScheme } from '@mantine/core'
import { SegmentedControl } from '@mantine/core'
import { THEMES, useThemeChoice } from '../../shell/theme-choice.ts'
import { Setting, SettingGroup } from './setting.tsx'
import classes from './settings-page.module.css'

export function AppearancePanel() {
  const { theme, chooseTheme } = useThemeChoice()
  return (
    <SettingGroup title="Appearance">
      <Setting name="Theme" help="Kept in this browser.">
        <SegmentedControl
          aria-label="Theme"
          value={theme}
          onChange={(value) => chooseTheme(value as MantineColorScheme)}
          data={THEMES.map(({ value, label, Icon }) => ({
            value,
            label: (
              <span className={classes.choice}>
                <Icon size={15} stroke={1.8} aria-hidden />
                {label}
              </span>
            )
          }))}
        />
      </Setting>
    </SettingGroup>
  )
}
