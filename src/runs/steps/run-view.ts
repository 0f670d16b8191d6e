import { outputTooLarge } from '../../engine/output-limit.ts'
import type { StepMessage } from '../../engine/step-record.ts'
import type { RequestFacts, RunTrigger, RunView } from '../../flows/component/component.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { RunInContext } from './run-in-context.ts'

/** Members of `run` that are Millrace's own. */
const OWN_MEMBERS: readonly (keyof RunView)[] = [
  'id',
  'flowId',
  'flowVersion',
  'trigger',
  'input',
  'request',
  'session',
  'variables',
  'say'
]

/** A decoration must not take the place of what every component relies on. */
export function assertFreeName(name: string): void {
  if (typeof name === 'string' && name !== '' && name !== '__proto__' && !OWN_MEMBERS.includes(name)) return
  throw new TypeError(
    `"${String(name)}" cannot decorate the run: ${OWN_MEMBERS.join(', ')} are its own members. Choose another name.`
  )
}

/** The run as components and hooks see it; what they say goes to `messages`. */
export function runView(
  around: RunInContext,
  messages: StepMessage[],
  variables: RunView['variables'] = around.context.variables
): RunView {
  return Object.assign(new StepRunView(around, messages, variables), around.context.decorations)
}

class StepRunView implements RunView {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly trigger: RunTrigger
  readonly input: JsonValue
  readonly session: string
  readonly request: RequestFacts | null
  readonly variables: RunView['variables']
  readonly say: RunView['say'];
  [decoration: string]: unknown

  constructor(
    { run, start, outputs, newId, now }: RunInContext,
    messages: StepMessage[],
    variables: RunView['variables']
  ) {
    this.id = run.id
    this.flowId = run.flowId
    this.flowVersion = run.flowVersion
    this.trigger = run.trigger
    this.input = start.input
    this.request = start.request
    this.session = run.session
    this.variables = variables
    let length = 0
    this.say = ({ text, sender = 'Machine', session = run.session }) => {
      // A plugin can say anything; what cannot be stored as text must fail here and not when the run is saved.
      const said = { text: String(text), sender: String(sender), session: String(session) }
      length += said.text.length
      // A step that says more and more must fail before its messages fill the memory.
      if (length > outputs.left.bytes)
        throw outputTooLarge(outputs.left, { size: length, advice: 'Say less' })
      messages.push({ id: newId(), ...said, createdAt: now() })
    }
  }
}
