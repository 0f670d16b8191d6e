import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { StepCall } from '../../engine/effects.ts'

/** Takes the secrets out of what the step has said and logged so far. */
export function redactMessages(call: StepCall, secrets: OpenedSecrets): void {
  const { messages, logs } = call
  if (logs !== undefined)
    call.logs = logs.map(({ level, text }) => ({ level, text: secrets.redactText(text) }))
  for (const [index, message] of messages.entries()) {
    const { text, sender, session } = message
    messages[index] = {
      ...message,
      // A message that was kept in pieces had been redacted before it was.
      text: typeof text === 'string' ? secrets.redactText(text) : text,
      sender: secrets.redactText(sender),
      session: secrets.redactText(session)
    }
  }
}
