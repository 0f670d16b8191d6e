import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Published } from '../session/saving-context.ts'
import classes from './publish.module.css'
import type { Readiness } from './readiness.ts'
import { usePublishActions } from './use-publish-actions.tsx'

/** A name and a sentence for the new version, and the button. Enter publishes; in the sentence Shift Enter breaks a line. */
export function PublishForm({ readiness }: { readonly readiness: Readiness }) {
  const { publish } = usePublishActions()
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const first = useRef<HTMLInputElement>(null)
  const publishing = useMutation({ mutationFn: publish })
  useEffect(() => {
    // On a phone its keyboard would cover what is to be looked at.
    if (matchMedia('(pointer: fine)').matches) first.current?.focus({ preventScroll: true })
  }, [])
  const submit = (acceptsFailing = false) => {
    if (readiness.kind !== 'ready' || publishing.isPending) return
    const { reviewed } = readiness
    publishing.mutate({ reviewed, name: name.trim(), note: note.trim(), acceptsFailing })
  }
  const isAsked = isRefusedByExpectations(publishing.data)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        ref={first}
        label="Name"
        placeholder="Optional, such as Spring sale"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Textarea
        label="Note"
        placeholder="Optional: why, for whoever reads it later"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          submit()
        }}
      />
      <div className={classes.submit}>
        <p className={classes.refusal} role="status">
          {whyNot(readiness) ?? toldOf(publishing.data)}
        </p>
        {/* Not the attribute: a disabled button loses the focus that it has just been used with. */}
        {isAsked && (
          <Button fullWidth variant="light" color="red" mb="xs" onClick={() => submit(true)}>
            Publish all the same
          </Button>
        )}
        <Button
          type="submit"
          fullWidth
          loading={publishing.isPending}
          aria-disabled={readiness.kind !== 'ready' || undefined}
          data-disabled={readiness.kind !== 'ready'}
        >
          Publish
        </Button>
      </div>
    </form>
  )
}

function whyNot(readiness: Readiness): string | undefined {
  switch (readiness.kind) {
    case 'ready':
      return undefined
    case 'reviewing':
      return 'Comparing with what is live…'
    case 'nothing to publish':
      return 'There is nothing to publish.'
    case 'faulty':
      return readiness.count === 1
        ? 'One problem has to be fixed first.'
        : `${readiness.count} problems have to be fixed first.`
    case 'not saved':
      return NOT_SAVED[readiness.status]
  }
}

const NOT_SAVED = {
  offline: 'The draft is not saved: the service does not answer.',
  conflict: 'Two editors changed the same part: decide that first.',
  invalid: 'The draft could not be saved. The reason is beside the name.'
} as const

/** What came of the last attempt. */
function toldOf(published: Published | undefined): string | undefined {
  switch (published?.kind) {
    case 'changed meanwhile':
      return 'Nothing was published: the draft had just changed. You see it as it is now.'
    case 'refused':
      return isRefusedByExpectations(published)
        ? 'Nothing was published: the draft does not do what is expected of the flow. See Expectations.'
        : published.problem.detail
    default:
      return undefined
  }
}

function isRefusedByExpectations(published: Published | undefined): boolean {
  return published?.kind === 'refused' && published.problem.code === 'expectations_failed'
}
