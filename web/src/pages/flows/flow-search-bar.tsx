import { MultiSelect, Select, Switch } from '@mantine/core'
import type { ListedFlow } from '../../api/shapes.ts'
import { counted } from '../../design/counted.ts'
import { SearchField } from '../../shell/search-field.tsx'
import type { FlowSearch, Order } from './find-flows.ts'
import classes from './flows-page.module.css'
import { knownTags } from './group-flows.ts'

interface FlowSearchBarProps {
  readonly flows: readonly ListedFlow[]
  readonly found: number
  readonly search: FlowSearch
  readonly onChange: (changes: Partial<FlowSearch>) => void
}

const SEARCH = { id: 'flows.search', title: 'Search flows', group: 'Flows' }

export function FlowSearchBar({ flows, found, search, onChange }: FlowSearchBarProps) {
  const contexts = [...new Set(flows.map(({ context }) => context))].sort()
  const tags = knownTags(flows)
  return (
    <search className={classes.search}>
      <SearchField
        command={SEARCH}
        placeholder={SEARCH.title}
        text={search.text}
        onChange={(text) => onChange({ text })}
      />
      {contexts.length > 1 && (
        <Select
          className={classes.choice!}
          classNames={{ dropdown: classes.choices! }}
          // As wide as paths are, not as the field is: in its width they would be cut.
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          aria-label="Context"
          placeholder="All contexts"
          clearable
          data={contexts}
          value={search.context || null}
          onChange={(context) => onChange({ context: context ?? '' })}
        />
      )}
      {(tags.length > 0 || search.tags.length > 0) && (
        <MultiSelect
          className={classes.tagChoice!}
          aria-label="Tags"
          {...(search.tags.length === 0 && { placeholder: 'All tags' })}
          clearable
          searchable
          data={[...new Set([...tags, ...search.tags])]}
          value={[...search.tags]}
          onChange={(tags) => onChange({ tags })}
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
      {contexts.length > 1 && (
        <Switch
          label="Folders"
          checked={search.isGrouped}
          onChange={(event) => onChange({ isGrouped: event.currentTarget.checked })}
        />
      )}
      <span className={classes.count} role="status">
        {found === flows.length ? counted(found, 'flow') : `${found} of ${flows.length}`}
      </span>
    </search>
  )
}
