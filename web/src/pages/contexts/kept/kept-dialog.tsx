import { Button, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { readDuration, writeDuration } from '../../../../../src/flows/duration.ts'
import { jsonIn, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../../api/api-context.ts'
import { type KeptRequest, keptValueQuery, usePutKept } from '../../../api/kept.ts'
import { useMay } from '../../../api/session.ts'
import { ErrorState } from '../../../design/error-state.tsx'
import { JsonEditor } from '../../../design/json-editor/json-editor.tsx'
import { LoadingState } from '../../../design/loading-state.tsx'
import { notifyDone } from '../../../design/notify.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import classes from './kept-tab.module.css'

export type EditedValue = { readonly kind: 'new' } | { readonly kind: 'kept'; readonly key: string }

interface KeptDialogProps {
  readonly context: string
  /** The dialog is closed where it is undefined. */
  readonly edited: EditedValue | undefined
  readonly onClose: () => void
}

export function KeptDialog({ context, edited, onClose }: KeptDialogProps) {
  const mayWrite = useMay('write')
  return (
    <Modal
      opened={edited !== undefined}
      onClose={onClose}
      title={edited?.kind === 'kept' ? edited.key : `Keep a value in ${context}`}
      size="lg"
      closeOnClickOutside={!mayWrite}
    >
      {edited?.kind === 'kept' && <KeptValueForm context={context} name={edited.key} onClose={onClose} />}
      {edited?.kind === 'new' && <ValueForm context={context} value="" onClose={onClose} />}
    </Modal>
  )
}

function KeptValueForm({ name, ...form }: { name: string; context: string; onClose: () => void }) {
  // Read once: what flows keep meanwhile must not take away what is being typed.
  const kept = useQuery({
    ...keptValueQuery(useApi(), form.context, name),
    gcTime: 0,
    refetchOnWindowFocus: false
  })
  if (kept.data === undefined)
    return kept.error === null ? (
      <LoadingState rows={2} height={64} />
    ) : (
      <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />
    )
  const { value, expires_at } = kept.data
  const left = expires_at === null ? {} : { left: writeDuration(Date.parse(expires_at) - Date.now()) }
  return <ValueForm {...form} name={name} value={writeJson(value, 2)} {...left} />
}

interface ValueFormProps {
  readonly context: string
  /** Of a value that is there. */
  readonly name?: string
  /** As JSON. */
  readonly value: string
  /** How long it is still kept. */
  readonly left?: string
  readonly onClose: () => void
}

function ValueForm({ context, name, value, left = '', onClose }: ValueFormProps) {
  const mayWrite = useMay('write')
  const put = usePutKept(context)
  const [key, setKey] = useState(name ?? '')
  const [text, setText] = useState(value)
  const [time, setTime] = useState(left)
  const [isChecked, setChecked] = useState(false)
  const wanted = read({ key, text, time })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (wanted.request === undefined) return
    put.mutate(wanted.request, {
      onSuccess: () => {
        notifyDone(`“${key}” is kept.`)
        onClose()
      }
    })
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {name === undefined && (
        <TextInput
          label="Key"
          placeholder="orders:Ann"
          data-autofocus
          value={key}
          error={isChecked && wanted.wrongKey}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      )}
      <div>
        <p className={classes.label} aria-hidden>
          Value, as JSON
        </p>
        <JsonEditor
          value={text}
          onChange={setText}
          label="Value, as JSON"
          readOnly={!mayWrite}
          height={200}
        />
        {isChecked && wanted.wrongValue !== undefined && (
          <p className={classes.wrong} role="alert">
            {wanted.wrongValue}
          </p>
        )}
      </div>
      {mayWrite && (
        <TextInput
          label="Expires in"
          description="Such as 15m, 2h or 30d. Empty: it is kept until it is deleted."
          value={time}
          error={isChecked && wanted.wrongTime}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
      )}
      {put.error !== null && <ProblemNote error={put.error} />}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          {mayWrite ? 'Cancel' : 'Close'}
        </Button>
        {mayWrite && (
          <Button type="submit" loading={put.isPending}>
            Keep
          </Button>
        )}
      </div>
    </form>
  )
}

interface Wanted {
  /** Undefined while something is wrong. */
  readonly request?: KeptRequest
  readonly wrongKey?: string | undefined
  readonly wrongValue?: string | undefined
  readonly wrongTime?: string | undefined
}

function read({ key, text, time }: Readonly<Record<'key' | 'text' | 'time', string>>): Wanted {
  const wrongKey = key === '' ? 'Enter a key.' : undefined
  const value = jsonIn(text)
  const wrongValue = value === undefined ? 'Enter JSON: put text in "quotes".' : undefined
  const span = time.trim() === '' ? undefined : readDuration(time)
  const wrongTime = typeof span === 'object' ? span.wrong : span === 0 ? 'Enter a time above 0.' : undefined
  if (wrongKey !== undefined || value === undefined || wrongTime !== undefined)
    return { wrongKey, wrongValue, wrongTime }
  return { request: { key, value, ...(typeof span === 'number' && { expires_in_ms: span }) } }
}
