import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { Turns } from '../../flows/in-turns.ts'

/** Takes the secrets out of what the step has said and logged so far. */
export function* redactMessagesInTurns(call: StepCall, secrets: OpenedSecrets): Turns<void> {
  const { messages, logs, answer } = call
  if (answer !== undefined) {
    const { headers, body } = answer
    const told = Object.entries(headers).map(([name, value]) => [name, secrets.redactText(value)])
    call.answer = {
      ...answer,
      headers: Object.fromEntries(told),
      body: typeof body === 'string' ? ((yield* secrets.redactInTurns(body)) as string) : body
    }
  }
  if (logs !== undefined)
    call.logs = logs.map(({ level, text }) => ({ level, text: secrets.redactText(text) }))
  for (const [index, message] of messages.entries()) {
    const { text, sender, session } = message
    messages[index] = {
      ...message,
      // A message that was kept in pieces had been redacted before it was.
      text: typeof text === 'string' ? ((yield* secrets.redactInTurns(text)) as string) : text,
      sender: secrets.redactText(sender),
      session: secrets.redactText(session)
    }
  }
}

/** The same at once, for a step that is ended: what it said is taken up in the same moment. */
export function redactMessages(call: StepCall, secrets: OpenedSecrets): void {
  for (const _ of redactMessagesInTurns(call, secrets));
}
