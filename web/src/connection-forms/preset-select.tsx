import { Select } from '@mantine/core'
import type { ConnectionKind, ConnectionPreset } from '../api/connections.ts'
import { Monogram } from '../design/monogram.tsx'
import { servicesByKind } from './preset-draft.ts'
import classes from './preset-select.module.css'

interface PresetSelectProps {
  readonly presets: readonly ConnectionPreset[]
  readonly kinds: readonly ConnectionKind[]
  readonly chosen: ConnectionPreset | undefined
  readonly kind: string
  readonly onChange: (preset: ConnectionPreset | undefined) => void
  readonly onKind: (kind: string) => void
}

/** No preset is called so. */
const KIND = 'kind:'

/** The service that is connected to, where it is one that is known: the rest of the form follows from it. */
export function PresetSelect({ presets, kinds, chosen, kind, onChange, onKind }: PresetSelectProps) {
  const byId = new Map(presets.map((preset) => [preset.id, preset]))
  const groups = Map.groupBy(presets, ({ category }) => category)
  const others = servicesByKind(kinds).map(({ kind, title }) => ({ value: KIND + kind, label: title }))
  return (
    <Select
      label="Service"
      description="Fills in the address and how to sign in. Leave it empty for any other."
      placeholder="Slack, OpenAI, Google Sheets, PostgreSQL…"
      searchable
      clearable
      maxDropdownHeight={320}
      nothingFoundMessage="Nothing known by this name: fill in the address below"
      data={[
        { group: 'Models, databases and mail', items: others },
        ...[...groups].map(([group, some]) => {
          return { group, items: some.map(({ id, name }) => ({ value: id, label: name })) }
        })
      ]}
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
      value={chosen?.id ?? others.find(({ value }) => value === KIND + kind)?.value ?? null}
      onChange={(id) => {
        if (id?.startsWith(KIND)) onKind(id.slice(KIND.length))
        else onChange(id === null ? undefined : byId.get(id))
      }}
    />
  )
}
