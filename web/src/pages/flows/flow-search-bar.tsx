import { Kbd, Select, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ListedFlow } from '../../api/shapes.ts'
import { useCommands } from '../../shell/commands.ts'
import type { FlowSearch, Order } from './find-flows.ts'
import classes from './flows-page.module.css'

interface FlowSearchBarProps {
  readonly flows: readonly ListedFlow[]
  readonly found: number
  readonly search: FlowSearch
  readonly onChange: (changes: Partial<FlowSearch>) => void
}

export function FlowSearchBar({ flows, found, search, onChange }: FlowSearchBarProps) {
  const field = useRef<HTMLInputElement>(null)
  useCommands([
    {
      id: 'flows.search',
      title: 'Search flows',
      group: 'Flows',
      keys: '/',
      icon: IconSearch,
      run: () => field.current?.focus()
    }
  ])
  const contexts = [...new Set(flows.map(({ context }) => context))].sort()
  return (
    <search className={classes.search}>
      <TextInput
        ref={field}
        className={classes.searchField!}
        aria-label="Search flows"
        placeholder="Search flows"
        type="search"
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={<Kbd size="xs">/</Kbd>}
        value={search.text}
        onChange={(event) => onChange({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange({ text: '' })
        }}
      />
      {contexts.length > 1 && (
        <Select
          className={classes.choice!}
          aria-label="Context"
          placeholder="All contexts"
          clearable
          data={contexts}
          value={search.context || null}
          onChange={(context) => onChange({ context: context ?? '' })}
        />
      )}
      <Select
        className={classes.choice!}
        aria-label="Order"
        allowDeselect={false}
        data={[
          { value: 'changed', label: 'Last changed' },
          { value: 'run', label: 'Last run' },
          { value: 'name', label: 'Name' }
        ]}
        value={search.order}
        onChange={(order) => onChange({ order: order as Order })}
      />
      <span className={classes.count} role="status">
        {found === flows.length
          ? `${found} ${found === 1 ? 'flow' : 'flows'}`
          : `${found} of ${flows.length}`}
      </span>
    </search>
  )
}
