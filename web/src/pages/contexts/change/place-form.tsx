import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CONTEXT_NAME, childPath } from '../../../../../src/contexts/context-path.ts'
import type { ContextFacts } from '../../../api/contexts.ts'
import { ProblemNote } from '../../../design/problem-note.tsx'
import classes from './place-form.module.css'

const contextName = new RegExp(CONTEXT_NAME)

/** What a context is called, and the context that it stands in. */
export interface Place {
  readonly name: string
  readonly parent: string
}

interface PlaceFormProps {
  readonly initial: Place
  /** Where it may stand. */
  readonly parents: readonly ContextFacts[]
  readonly action: string
  readonly error: unknown
  readonly isPending: boolean
  readonly onSubmit: (place: Place) => void
  readonly onClose: () => void
  readonly children?: React.ReactNode
}

export function PlaceForm({
  initial,
  parents,
  action,
  error,
  isPending,
  onSubmit,
  onClose,
  children
}: PlaceFormProps) {
  const [name, setName] = useState(initial.name)
  const [parent, setParent] = useState(initial.parent)
  const isGood = contextName.test(name)
  const isSame = name === initial.name && parent === initial.parent
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (isGood && !isSame) onSubmit({ name, parent })
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Letters, digits, - and _; at most 60."
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={name !== '' && !isGood && 'Use letters, digits, - and _ only, at most 60.'}
        />
        <Select
          label="In"
          description="It sees what this one sees."
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such context"
          data={parents.map(({ path }) => path)}
          value={parent}
          onChange={(path) => setParent(path ?? '/')}
        />
        <p className={classes.result}>
          Its path: <code>{isGood ? childPath(parent, name) : '…'}</code>
        </p>
        {children}
        <ProblemNote error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={!isGood || isSame}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
