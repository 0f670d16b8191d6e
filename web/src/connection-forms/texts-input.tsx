import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { useState } from 'react'
import { IconPlus, IconX } from '../design/icons/page-icons.ts'
import classes from './texts-input.module.css'

interface TextsInputProps {
  readonly title: string
  readonly description: string
  readonly value: unknown
  readonly fault: string | undefined
  readonly onChange: (value: Readonly<Record<string, string>> | undefined) => void
}

interface Row {
  /** Rows have no name of their own until one is typed. */
  readonly key: number
  readonly name: string
  readonly text: string
}

/** An object of texts, in rows of name and value. A row without a name is not there yet. */
export function TextsInput({ title, description, value, fault, onChange }: TextsInputProps) {
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(value))
  const change = (next: readonly Row[]) => {
    setRows(next)
    const named = next.filter(({ name }) => name.trim() !== '').map(({ name, text }) => [name.trim(), text])
    onChange(named.length === 0 ? undefined : Object.fromEntries(named))
  }
  const put = (row: Row) => change(rows.map((known) => (known.key === row.key ? row : known)))
  const add = () => setRows([...rows, { key: (rows.at(-1)?.key ?? 0) + 1, name: '', text: '' }])
  return (
    <Input.Wrapper label={title} labelElement="div" description={description} error={fault}>
      <div className={classes.rows}>
        {rows.map((row, at) => (
          <div key={row.key} className={classes.row}>
            <TextInput
              aria-label={`${title}: name ${at + 1}`}
              placeholder="Name"
              autoComplete="off"
              spellCheck={false}
              value={row.name}
              onChange={(event) => put({ ...row, name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={`${title}: value ${at + 1}`}
              placeholder="Value, or {secret}"
              autoComplete="off"
              spellCheck={false}
              value={row.text}
              onChange={(event) => put({ ...row, text: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${title}: take away ${row.name === '' ? `row ${at + 1}` : row.name}`}
              onClick={() => change(rows.filter(({ key }) => key !== row.key))}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <Button
          className={classes.add}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          aria-label={`Add to ${title}`}
          onClick={add}
        >
          Add
        </Button>
      </div>
    </Input.Wrapper>
  )
}

function rowsOf(value: unknown): Row[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, text], key) => ({ key, name, text: String(text) }))
}
