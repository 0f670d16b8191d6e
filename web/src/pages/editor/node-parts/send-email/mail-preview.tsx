import { SegmentedControl } from '@mantine/core'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Mail } from '../../../../../../src/components/send-email/build-mail.ts'
import type { MailAddress } from '../../../../../../src/components/send-email/mail-addresses.ts'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { words } from '../../../../../../src/flows/template/plain-words.ts'
import type { Node } from '../../../../editor/graph/flow.ts'
import { previewMail } from '../../../../editor/mail/preview-mail.ts'
import { PreviewOrigin } from '../template/template-preview.tsx'
import { useTemplateSample } from '../template/use-template-sample.ts'
import { useTemplateVariables } from '../use-template-variables.ts'
import { MailFrame } from './mail-frame.tsx'
import classes from './send-email.module.css'

/** Longer ones are cut: a browser takes long to lay them out. */
const LONGEST = 200_000

/** The mail as its reader gets it, of the data that came last. Nothing is sent. */
export function MailPreview({ node }: { readonly node: Node }) {
  const sample = useTemplateSample({ node: node.id, field: 'text', isAsking: true })
  const variables = useTemplateVariables(node.id)
  const fields = useDeferredValue(node.fields)
  const { data } = sample
  const preview = useMemo(
    () =>
      data === undefined
        ? undefined
        : previewMail(fields as Readonly<Record<string, JsonValue>>, data, variables),
    [fields, data, variables]
  )
  // While something is typed it is broken half of the time: the previous mail stays, faintly.
  const [before, setBefore] = useState<Mail | undefined>()
  if (preview?.mail !== undefined && preview.mail !== before) setBefore(preview.mail)
  const mail = preview === undefined ? undefined : (preview.mail ?? before)
  return (
    <section className={classes.preview} aria-label="Preview of the mail">
      <div className={classes.head}>
        <h3>The mail</h3>
        <PreviewOrigin sample={sample} />
      </div>
      {preview === undefined && (
        <p className={classes.quiet}>
          Test the flow, or send it a request: the mail is shown here as its reader gets it.
        </p>
      )}
      {preview?.problem !== undefined && <p className={classes.problem}>{preview.problem}</p>}
      {mail !== undefined && (
        <Letter mail={mail} hasOwnSender={node.fields.from !== undefined && node.fields.from !== ''} />
      )}
    </section>
  )
}

interface LetterProps {
  readonly mail: Mail
  /** Else the sender is that of the connection. */
  readonly hasOwnSender: boolean
}

function Letter({ mail, hasOwnSender }: LetterProps) {
  const [chosen, setChosen] = useState<'html' | 'text'>('html')
  const hasBoth = mail.html !== '' && mail.text !== ''
  const view = hasBoth ? chosen : mail.html === '' ? 'text' : 'html'
  return (
    <article className={classes.mail} data-mail={view}>
      <dl className={classes.facts}>
        {hasOwnSender && <Addresses title="From" list={[mail.from]} />}
        <Addresses title="To" list={mail.to} />
        <Addresses title="Cc" list={mail.cc} />
        <Addresses title="Bcc" list={mail.bcc} />
        <Addresses title="Reply to" list={mail.replyTo} />
        <div>
          <dt>Subject</dt>
          <dd data-subject>{mail.subject || <span className={classes.quiet}>none</span>}</dd>
        </div>
        {mail.attachments.length > 0 && (
          <div>
            <dt>Attached</dt>
            <dd>{mail.attachments.map(({ filename }) => filename).join(', ')}</dd>
          </div>
        )}
      </dl>
      {hasBoth && (
        <SegmentedControl
          size="xs"
          value={view}
          onChange={(next) => setChosen(next as 'html' | 'text')}
          aria-label="Which part of the mail"
          data={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: 'Text' }
          ]}
        />
      )}
      {view === 'html' ? (
        <MailFrame html={mail.html.slice(0, LONGEST)} />
      ) : (
        <pre className={classes.text}>
          {mail.text.slice(0, LONGEST) || <span className={classes.quiet}>The mail is empty.</span>}
        </pre>
      )}
    </article>
  )
}

function Addresses({ title, list }: { readonly title: string; readonly list: readonly MailAddress[] }) {
  if (list.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>{list.map(printed).join(', ')}</dd>
    </div>
  )
}

function printed({ name, address }: MailAddress): string {
  return name === '' ? address : words`${name} <${address}>`
}
