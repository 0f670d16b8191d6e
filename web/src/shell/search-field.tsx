import { Kbd, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { IconSearch } from '../design/icons/page-icons.ts'
import { type Command, useCommands } from './commands.ts'
import classes from './search-field.module.css'

interface SearchFieldProps {
  /** Its title is the name of the field. */
  readonly command: Pick<Command, 'id' | 'title' | 'group'>
  readonly placeholder: string
  readonly text: string
  readonly onChange: (text: string) => void
}

/** Where a page with a list is searched: / leads there, Escape empties it. */
export function SearchField({ command, placeholder, text, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useCommands([{ ...command, keys: '/', icon: IconSearch, run: () => field.current?.focus() }])
  return (
    <TextInput
      ref={field}
      className={classes.field!}
      aria-label={command.title}
      placeholder={placeholder}
      type="search"
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={<Kbd size="xs">/</Kbd>}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('')
      }}
    />
  )
}
