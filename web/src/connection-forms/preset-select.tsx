import { Select } from '@mantine/core'
import type { ConnectionPreset } from '../api/connections.ts'
import { Monogram } from '../design/monogram.tsx'
import classes from './preset-select.module.css'

interface PresetSelectProps {
  readonly presets: readonly ConnectionPreset[]
  readonly chosen: ConnectionPreset | undefined
  readonly onChange: (preset: ConnectionPreset | undefined) => void
}

/** The service that is connected to, where it is one that is known: the rest of the form follows from it. */
export function PresetSelect({ presets, chosen, onChange }: PresetSelectProps) {
  const byId = new Map(presets.map((preset) => [preset.id, preset]))
  const groups = Map.groupBy(presets, ({ category }) => category)
  return (
    <Select
      label="Service"
      description="Fills in the address and how to sign in. Leave it empty for any other."
      placeholder="Slack, GitHub, Google Sheets…"
      searchable
      clearable
      maxDropdownHeight={320}
      nothingFoundMessage="Not among those that are known: fill in its address below"
      data={[...groups].map(([group, some]) => {
        return { group, items: some.map(({ id, name }) => ({ value: id, label: name })) }
      })}
      leftSection={chosen === undefined ? undefined : <Monogram {...chosen.picture} />}
      renderOption={({ option }) => {
        const preset = byId.get(option.value)
        return (
          <span className={classes.option}>
            {preset !== undefined && <Monogram {...preset.picture} />}
            {option.label}
          </span>
        )
      }}
      clearButtonProps={{ 'aria-label': 'No service that is known' }}
      value={chosen?.id ?? null}
      onChange={(id) => onChange(id === null ? undefined : byId.get(id))}
    />
  )
}
