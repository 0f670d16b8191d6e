import { NativeSelect, TextInput } from '@mantine/core'
import { useEffect, useId } from 'react'
import { useModels } from '../../../api/models.ts'
import { problemOf } from '../../../api/problem.ts'
import classes from './assistant.module.css'
import type { ModelChoice } from './chosen-model.ts'

interface ModelInputsProps {
  readonly context: string
  readonly connections: readonly string[]
  readonly choice: ModelChoice
  readonly onChange: (choice: ModelChoice) => void
}

const NO_NAMES: readonly string[] = []

/** Which model is asked, by which connection. A name that the provider does not list can be typed. */
export function ModelInputs({ context, connections, choice, onChange }: ModelInputsProps) {
  const { connection, model } = choice
  const list = useId()
  const { data: names = NO_NAMES, error } = useModels(context, connection, { enabled: true })
  const [first] = names
  useEffect(() => {
    if (model === '' && first !== undefined) onChange({ connection, model: first })
  }, [model, first, connection, onChange])
  return (
    <div className={classes.model}>
      <NativeSelect
        label="Connection"
        value={connection}
        data={[...connections]}
        onChange={(event) => onChange({ connection: event.target.value, model: '' })}
      />
      <TextInput
        label="Model"
        value={model}
        list={list}
        maxLength={300}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ connection, model: event.target.value })}
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {error !== null && (
        <p className={classes.quiet} role="status">
          The models cannot be listed. {problemOf(error).detail} You can still type a name.
        </p>
      )}
    </div>
  )
}
