import {
  defineComponent,
  type FieldFault,
  type FieldValues,
  inTurns,
  type JsonValue,
  type Step,
  StepError,
  scopeOf,
  templateFault,
  templateTreeFaults
} from '../../plugin-api.ts'
import { readFiles } from './attachments.ts'
import { buildMail, prepareMail } from './build-mail.ts'
import { ADDRESS_FIELDS, FIELDS } from './fields.ts'
import { parseAddresses } from './mail-addresses.ts'

type Values = FieldValues<typeof FIELDS>

/** Sends a mail through a server. */
export const sendEmail = defineComponent({
  type: 'send-email',
  title: 'Send e-mail',
  description: 'Sends a mail by SMTP: text, HTML and attachments, filled in from the data.',
  category: 'Reach out',
  icon: 'mail',
  keywords: [
    'email',
    'e-mail',
    'mail',
    'smtp',
    'message',
    'notify',
    'notification',
    'newsletter',
    'gmail',
    'outlook'
  ],
  example: 'To {customer.email}: "Your order {order_id} is on its way."',
  fields: FIELDS,
  mainFields: ['to'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    result: {
      title: 'Result',
      type: 'any',
      help: 'Who the server took it for, whom it refused, and the Message-ID.'
    }
  },
  check: faultsOf,
  prepare: prepareMail,
  run: send
})

function faultsOf(fields: Values): FieldFault[] {
  const texts = [...ADDRESS_FIELDS, 'subject', 'text', 'html'] as const
  const faults = texts.flatMap((field): FieldFault[] => {
    const fault = templateFault(fields[field])
    return fault === undefined ? [] : [{ field, ...fault }]
  })
  faults.push(...templateTreeFaults(fields.attachments).map((fault) => ({ field: 'attachments', ...fault })))
  if ([fields.to, fields.cc, fields.bcc].every((list) => list.trim() === ''))
    faults.push({ field: 'to', message: 'It does not say who gets the mail. Write an address, or {email}.' })
  return [...faults, ...addressFaults(fields)]
}

/** Of addresses without values; others only a step can judge. */
function addressFaults(fields: Values): FieldFault[] {
  return ADDRESS_FIELDS.flatMap((field): FieldFault[] => {
    if (/[{}]/.test(fields[field])) return []
    try {
      parseAddresses(field, fields[field].replaceAll(/[\r\n]+/g, ','))
      return []
    } catch (error) {
      if (!(error instanceof StepError)) throw error
      return [{ field, message: error.message }]
    }
  })
}

type MailStep = Step<
  typeof FIELDS,
  { readonly data: { readonly title: string; readonly type: 'any' } },
  ReturnType<typeof prepareMail>
>

async function send(step: MailStep) {
  const { fields, prepared, inputs, run, idempotencyKey, signal } = step
  const connection = step.connection(fields.connection, ['smtp'])
  const building = buildMail(prepared, {
    scope: scopeOf(inputs.data as JsonValue | undefined, run.variables),
    sender: String(connection.settings.from),
    idempotencyKey,
    now: step.now()
  })
  const mail = await inTurns(building, step)
  // Loaded with the first mail: few services send any.
  const [{ writeMail }, { MailSession }] = await Promise.all([
    import('./write-mail.ts'),
    import('./mail-session.ts')
  ])
  const { envelope, message } = await writeMail(mail, await readFiles(mail, step))
  const sent = await MailSession.with(connection, signal, async (session) => {
    const answer = await session.send(envelope, message)
    session.leave()
    return answer
  })
  return { result: { message_id: mail.messageId, ...sent } }
}
