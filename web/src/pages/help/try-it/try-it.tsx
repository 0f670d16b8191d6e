import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useSession } from '../../../api/session.ts'
import { type TriedAnswer, tryCall } from '../../../api/try-call.ts'
import { useConfirm } from '../../../design/confirm.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import type { ApiDescription } from '../../../help/reference/openapi-document.ts'
import {
  missingFields,
  type TriedOperation,
  triedOperation,
  triedPath
} from '../../../help/reference/tried-request.ts'
import classes from './try-it.module.css'

interface TryItProps {
  readonly api: ApiDescription
  readonly operation: string
}

/** Sends the request of an operation with the session of whoever reads about it. */
export function TryIt({ api, operation }: TryItProps) {
  const tried = triedOperation(api, operation)
  if (tried === undefined) return null
  return (
    <section className={classes.try} aria-labelledby="try-it">
      <h2 id="try-it" tabIndex={-1}>
        Try it
      </h2>
      {tried.isStream ? (
        <p>The answer is a stream that does not end. Read it by curl, with the option -N.</p>
      ) : (
        <RequestForm tried={tried} />
      )}
    </section>
  )
}

function RequestForm({ tried }: { readonly tried: TriedOperation }) {
  const api = useApi()
  const name = useSession()?.name ?? ''
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [body, setBody] = useState(tried.body)
  const send = useSend(tried)
  const missing = missingFields(tried, values)
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void send.ask(values, body)
      }}
    >
      {tried.fields.map((field) => (
        <TextInput
          key={`${field.in} ${field.name}`}
          label={field.name}
          description={PLACES[field.in]}
          withAsterisk={field.isRequired}
          value={values[field.name] ?? ''}
          onChange={({ currentTarget: { value } }) => setValues((old) => ({ ...old, [field.name]: value }))}
        />
      ))}
      {tried.bodyType !== null && (
        <Textarea
          label="Body"
          description={tried.bodyType}
          value={body}
          autosize
          minRows={3}
          maxRows={20}
          classNames={{ input: classes.body! }}
          onChange={({ currentTarget: { value } }) => setBody(value)}
        />
      )}
      <p className={classes.sent}>
        <code>
          {tried.method} {new URL(triedPath(tried, values), api.base).pathname}
        </code>{' '}
        as “{name}”
      </p>
      <Button type="submit" loading={send.isPending} disabled={missing.length > 0}>
        Send
      </Button>
      {missing.length > 0 && <p className={classes.sent}>Fill in {missing.join(', ')} first.</p>}
      <ProblemNote error={send.error} />
      {send.data !== undefined && <Answer answer={send.data} />}
    </form>
  )
}

const PLACES: Readonly<Record<string, string>> = {
  path: 'Part of the address',
  query: 'Query',
  header: 'Header'
}

/** What changes something is sent when that was said once more: it is the real service. */
function useSend(tried: TriedOperation) {
  const { base } = useApi()
  const confirm = useConfirm()
  const { mutate, ...sending } = useMutation({
    mutationFn: ({ values, body }: { values: Readonly<Record<string, string>>; body: string }) =>
      tryCall(base, {
        method: tried.method,
        path: triedPath(tried, values),
        headers: headersOf(tried, values, body),
        body: tried.bodyType === null || body === '' ? undefined : body
      })
  })
  const ask = async (values: Readonly<Record<string, string>>, body: string) => {
    const isRead = tried.method === 'GET'
    const question = {
      title: `${tried.operation.summary}?`,
      body: 'This is no rehearsal: the request goes to this service, and does what it says.',
      action: 'Send',
      isDangerous: tried.method === 'DELETE'
    }
    if (isRead || (await confirm(question))) mutate({ values, body })
  }
  return { ...sending, ask }
}

function headersOf(
  { fields, bodyType }: TriedOperation,
  values: Readonly<Record<string, string>>,
  body: string
): Record<string, string> {
  const sent = fields.filter(({ in: place, name }) => place === 'header' && (values[name] ?? '') !== '')
  return {
    ...Object.fromEntries(sent.map(({ name }) => [name, values[name]!])),
    ...(bodyType === null || body === '' ? {} : { 'content-type': bodyType })
  }
}

function Answer({ answer: { status, isGood, took, text } }: { readonly answer: TriedAnswer }) {
  return (
    <section className={classes.answer} aria-label="Answer" aria-live="polite">
      <p>
        <strong className={classes.status} data-good={isGood}>
          {status}
        </strong>{' '}
        in {took} ms
      </p>
      {text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard.
        <pre tabIndex={0}>{text}</pre>
      )}
    </section>
  )
}
