import { ActionIcon, Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '../../../design/icons/page-icons.ts'
import classes from './settings.module.css'
import type { RowFaults, VariableRow } from './variable-rows.ts'

interface VariableFieldsProps {
  readonly rows: readonly VariableRow[]
  readonly faults: ReadonlyMap<string, RowFaults>
  readonly onChange: (rows: VariableRow[]) => void
  readonly isReadOnly: boolean
}

export function VariableFields({ rows, faults, onChange, isReadOnly }: VariableFieldsProps) {
  const change = (id: string, news: Partial<VariableRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...news } : row)))
  const add = () => onChange([...rows, { id: crypto.randomUUID(), name: '', kind: 'text', value: '' }])
  return (
    <fieldset className={classes.group}>
      <legend>Variables</legend>
      <p className={classes.help}>
        What <code>{'{$name}'}</code> reads in templates and fields of the flows inside, and of those below.
      </p>
      {rows.length === 0 && <p className={classes.empty}>None set here.</p>}
      <div className={classes.rows}>
        {rows.map((row) => (
          <VariableField
            key={row.id}
            row={row}
            faults={faults.get(row.id) ?? {}}
            isReadOnly={isReadOnly}
            onChange={(news) => change(row.id, news)}
            onRemove={() => onChange(rows.filter(({ id }) => id !== row.id))}
          />
        ))}
      </div>
      {!isReadOnly && (
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={add}
        >
          Add a variable
        </Button>
      )}
    </fieldset>
  )
}

interface VariableFieldProps {
  readonly row: VariableRow
  readonly faults: RowFaults
  readonly isReadOnly: boolean
  readonly onChange: (news: Partial<VariableRow>) => void
  readonly onRemove: () => void
}

function VariableField({ row, faults, isReadOnly, onChange, onRemove }: VariableFieldProps) {
  const label = row.name || 'new variable'
  return (
    <fieldset className={classes.row} aria-label={`Variable ${label}`}>
      <TextInput
        aria-label="Name"
        placeholder="name"
        disabled={isReadOnly}
        value={row.name}
        error={faults.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        classNames={{ input: classes.mono! }}
      />
      <SegmentedControl
        aria-label={`Kind of ${label}`}
        disabled={isReadOnly}
        value={row.kind}
        onChange={(kind) => onChange({ kind: kind as VariableRow['kind'] })}
        data={[
          { value: 'text', label: 'Text' },
          { value: 'json', label: 'JSON' }
        ]}
      />
      <Textarea
        aria-label="Value"
        placeholder={row.kind === 'text' ? 'value' : '7, true, ["a", "b"], {"key": "value"}'}
        autosize
        minRows={1}
        maxRows={12}
        disabled={isReadOnly}
        value={row.value}
        error={faults.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
        classNames={{ input: classes.mono! }}
      />
      {!isReadOnly && (
        <ActionIcon aria-label={`Remove ${label}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </fieldset>
  )
}
