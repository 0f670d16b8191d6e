import { closestName } from '../closest-name.ts'
import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { describeValue } from './describe-value.ts'
import type { Field } from './parse-field.ts'
import { cutText, quoteKey } from './quote-text.ts'
import { readRoot, readStep, type Scope, type Step } from './read-path.ts'
import { TemplateError } from './template-error.ts'
import { placeAt, printPlace } from './template-place.ts'

const SHOWN_KEYS = 12
const SHOWN_LENGTH = 40

/** Payloads choose their keys, so the search for a similar one must not be theirs to prolong. */
const MAX_COMPARED_KEYS = 500
const MAX_COMPARED_LENGTH = 64

/** Where a path stopped: the value that lacks the step, and the path's text up to it ('' for the data). */
interface Gap {
  readonly container: JsonValue | Scope
  readonly label: string
  readonly step: Step
  /** The context variables, as `$name`, when the step may have meant one. */
  readonly contextKeys: readonly string[] | undefined
}

/** The error for a placeholder without a value, in words that tell what to change. */
export function missingKeyError(
  source: string,
  field: Field,
  scope: Scope,
  contextVariables: Scope
): TemplateError {
  const gap = findGap(field, scope, contextVariables)
  const keys = [...(gap.contextKeys ?? []), ...ownKeys(gap.container)]
  const place = placeAt(source, field.offset)
  const shown = cutText(field.text, SHOWN_LENGTH * 2)
  const spec = field.spec === undefined ? '' : `:${cutText(field.spec.text, SHOWN_LENGTH)}`
  const meant = findMeant(field, gap, keys)
  const message =
    `{${shown}} (${printPlace(place)}) has no value: ${explainNode(field, gap) ?? explainGap(gap)}.` +
    (meant === undefined ? '' : ` Did you mean ${cutText(meant, SHOWN_LENGTH * 2)}?`) +
    ` Write {${shown}${spec}?} if it may be absent.`
  return new TemplateError('template_missing_key', message, place, {
    variable: field.text,
    keys: keys.slice(0, SHOWN_KEYS).map((key) => cutText(key, SHOWN_LENGTH))
  })
}

function findGap(field: Field, scope: Scope, contextVariables: Scope): Gap {
  const [root, ...inner] = field.steps as readonly [Step, ...Step[]]
  const value = readRoot(field, scope, contextVariables)
  if (value === undefined) {
    const names = ownKeys(contextVariables).map((name) => `$${name}`)
    const contextKeys = field.contextName === undefined ? undefined : names
    return { container: scope, label: '', step: root, contextKeys }
  }
  let container = value
  let reached = root
  for (const step of inner) {
    const next = readStep(container, step)
    if (next === undefined) return innerGap(field, container, reached, step)
    container = next
    reached = step
  }
  return innerGap(field, container, reached, reached)
}

function innerGap(field: Field, container: JsonValue, reached: Step, step: Step): Gap {
  return { container, label: field.text.slice(0, reached.end), step, contextKeys: undefined }
}

function ownKeys(value: JsonValue | Scope): string[] {
  return isPlainObject(value) ? Object.keys(value) : []
}

function findMeant(field: Field, gap: Gap, keys: readonly string[]): string | undefined {
  const isWholeKey = field.steps.length > 1 && gap.label === '' && !field.text.includes(']')
  if (isWholeKey && keys.includes(field.text)) return `{[${field.text}]}`
  const wanted = gap.step.key
  // One or two letters resemble too much.
  if (wanted.length < 3 || wanted.length > MAX_COMPARED_LENGTH) return undefined
  const close = closestName(wanted, keys.slice(0, MAX_COMPARED_KEYS))
  return close === undefined ? undefined : `"${close}"`
}

/** Of a node that was read and is not there: it leads here, as is held when a flow is saved. */
function explainNode({ contextName, steps }: Field, { step }: Gap): string | undefined {
  if (contextName !== 'nodes' || step !== steps[1]) return undefined
  return `the node ${quoteKey(step.key, SHOWN_LENGTH)} has put nothing out in this run, such as one that was skipped`
}

function explainGap(gap: Gap): string {
  if (gap.label !== '') return explainLevel(`"${cutText(gap.label, SHOWN_LENGTH)}"`, gap)
  const data = explainLevel('the data', gap)
  if (gap.contextKeys === undefined) return data
  if (gap.contextKeys.length === 0) return `there are no context variables, and ${data}`
  return `the context variables are ${listKeys(gap.contextKeys)}, and ${data}`
}

function explainLevel(label: string, { container, step }: Gap): string {
  if (isPlainObject(container)) {
    const keys = Object.keys(container)
    if (keys.length === 0) return `${label} has no keys`
    return `${label} has the ${keys.length === 1 ? 'key' : 'keys'} ${listKeys(keys)}`
  }
  const kind = describeValue(container as JsonValue)
  if (!Array.isArray(container)) return `${label} is ${kind} and not an object`
  if (step.index >= 0) return `${label} is ${kind}, counted from 0`
  return `${label} is ${kind} and not an object: reach its items with [0]`
}

function listKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, SHOWN_KEYS).map((key) => quoteKey(key, SHOWN_LENGTH))
  const hidden = keys.length - shown.length
  return shown.join(', ') + (hidden > 0 ? ` and ${hidden} more` : '')
}
