import { Button, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MODEL_KINDS } from '../../../../src/components/language-model/model-kinds.ts'
import type { Connection } from '../../api/connections.ts'
import { type ListedModel, useAllModels } from '../../api/models.ts'
import { useMay } from '../../api/session.ts'
import { counted } from '../../design/counted.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { ProblemNote } from '../../design/problem-note.tsx'
import { offeredNames } from '../../editor/models/offered-names.ts'
import classes from './models-button.module.css'

const KINDS: readonly string[] = MODEL_KINDS

/** For a connection that leads to models: which there are, and what each can do. */
export function ModelsButton({ connection }: { readonly connection: Connection }) {
  const [isOpen, setOpen] = useState(false)
  const mayWrite = useMay('write')
  if (!KINDS.includes(connection.kind) || !mayWrite) return null
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`Models of ${connection.name}`}
        onClick={() => setOpen(true)}
      >
        Models
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Models of “${connection.name}”`}
        size="lg"
      >
        <Models connection={connection} />
      </Modal>
    </>
  )
}

function Models({ connection: { context, name } }: { readonly connection: Connection }) {
  const { data: models, error } = useAllModels(context, name)
  const [typed, setTyped] = useState('')
  if (models === undefined)
    return error === null ? <LoadingState rows={4} height={28} /> : <ProblemNote error={error} />
  const shown = new Set(
    offeredNames(
      models.map((model) => model.name),
      typed
    )
  )
  return (
    <div className={classes.models}>
      <p className={classes.told}>
        {counted(models.length, 'model')}, as the provider lists them.{' '}
        {models.some(({ can }) => can === undefined) &&
          'Where it does not say what one can do, nothing is said here.'}
      </p>
      <TextInput
        aria-label="Find a model"
        placeholder="Find a model"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ul className={classes.list} aria-label="Models">
        {models
          .filter((model) => shown.has(model.name))
          .map((model) => (
            <ModelRow key={model.name} model={model} />
          ))}
      </ul>
      {shown.size === 0 && <p className={classes.told}>None of this name.</p>}
    </div>
  )
}

function ModelRow({ model: { name, can = [], context_tokens: context } }: { readonly model: ListedModel }) {
  return (
    <li className={classes.model}>
      <code className={classes.name}>{name}</code>
      <span className={classes.can}>
        {can.map((ability) => (
          <span key={ability} className={classes.ability}>
            {ability}
          </span>
        ))}
        {context !== undefined && <span>{context.toLocaleString('en')} tokens</span>}
      </span>
    </li>
  )
}
