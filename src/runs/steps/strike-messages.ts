import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { StepCall } from '../../engine/effects.ts'

/** Takes the secrets out of what the step has said and logged so far. */
export function strikeMessages(call: StepCall, secrets: OpenedSecrets): void {
  const { messages, logs } = call
  if (logs !== undefined)
    call.logs = logs.map(({ level, text }) => ({ level, text: secrets.strikeText(text) }))
  for (const [index, message] of messages.entries()) {
    const { text, sender, session } = message
    messages[index] = {
      ...message,
      // A message that was kept in pieces had been struck before it was.
      text: typeof text === 'string' ? secrets.strikeText(text) : text,
      sender: secrets.strikeText(sender),
      session: secrets.strikeText(session)
    }
  }
}
