import { TOOLS_OUTPUT } from '../tools/tool.ts'
import { type AnyComponent, EMPTY_VALUES, type Field } from './component.ts'
import { PORT_TYPES, type Port, type Ports } from './ports.ts'

const FIELD_KINDS = Object.keys(EMPTY_VALUES)

/**
 * Refuses a definition that could not be drawn or run, in words for its author. `others`: components whose triggers it may not
 * pass itself off as.
 */
export function checkDefinition(definition: AnyComponent, others: readonly AnyComponent[] = []): void {
  const { type, title, run } = definition
  if (typeof type !== 'string' || !/^[a-z0-9][a-z0-9_-]*$/.test(type)) {
    throw new TypeError(
      `A component's type is ${JSON.stringify(type)}. Use lower-case letters, digits and hyphens, for example "greet".`
    )
  }
  const named = `Component "${type}"`
  if (typeof title !== 'string' || title === '') throw new TypeError(`${named} has no title. Give it one.`)
  if (typeof run !== 'function')
    throw new TypeError(`${named} has no run function. Write run: (step) => ({ … }).`)
  assertWords(named, definition)
  for (const [name, field] of Object.entries(definition.fields ?? {}) as [string, Field][])
    assertField(`${named}: field "${name}"`, field)
  const { region } = definition
  const shown = [definition.fields, definition.inputs, definition.outputs, region?.inputs, region?.outputs]
  for (const [name, part] of shown.flatMap((parts) => Object.entries(parts ?? {}))) {
    assertShowable(`${named}: "${name}"`, part)
  }
  assertPortFields(named, definition)
  assertMainFields(named, definition)
  assertUsage(named, definition)
  assertEmits(named, definition)
  assertPrints(named, definition)
  assertTools(named, definition)
  assertLife(named, definition, others)
  for (const [name, port] of shown.slice(1).flatMap(portsIn)) {
    if (PORT_TYPES.includes(port?.type)) continue
    throw new TypeError(
      `${named}: port "${name}" is of no known type. Known types are ${PORT_TYPES.join(', ')}.`
    )
  }
  assertRegion(named, definition)
  for (const [name, value] of Object.entries(timesOf(definition))) {
    if (value === undefined || (Number.isFinite(value) && (value as number) >= 0)) continue
    throw new TypeError(
      `${named}: ${name} is ${String(value)}. Give it a number of 0 or more, or leave it out.`
    )
  }
}

function assertField(named: string, field: Field): void {
  if (!FIELD_KINDS.includes(field?.kind))
    throw new TypeError(`${named} is of no known kind. Known kinds are ${FIELD_KINDS.join(', ')}.`)
  if (field.kind === 'rows' && Object.keys(field.columns ?? {}).length === 0)
    throw new TypeError(`${named} has no columns. Write, for example, columns: { key: { title: 'Key' } }.`)
}

function assertWords(named: string, { keywords, example }: AnyComponent): void {
  const areTexts = Array.isArray(keywords) && keywords.every((word) => typeof word === 'string')
  if (keywords !== undefined && !areTexts)
    throw new TypeError(`${named}: keywords is not a list of texts. Write, for example, ["loop", "iterate"].`)
  if (example !== undefined && typeof example !== 'string')
    throw new TypeError(`${named}: example is not a text. Describe one use of it in a sentence.`)
}

const PORT_FIELDS = [
  ['inputsFromTemplate', ['template', 'text']],
  ['inputsFromCount', ['number']],
  ['outputsFromList', ['list']]
] as const

/** Ports that follow from a field need one that can tell them. */
function assertPortFields(named: string, definition: AnyComponent): void {
  for (const [member, kinds] of PORT_FIELDS) {
    const field = definition[member]
    const kind: Field['kind'] | undefined = field === undefined ? kinds[0] : definition.fields?.[field]?.kind
    if ((kinds as readonly unknown[]).includes(kind)) continue
    throw new TypeError(
      `${named}: ${member} is ${JSON.stringify(field)}. Name a field of the kind ${kinds.join(' or ')}.`
    )
  }
}

const KINDS_OF_MAIN_FIELDS: readonly Field['kind'][] = ['text', 'template', 'number', 'choice']

/** They are edited in the one line that a node has for them. */
function assertMainFields(named: string, { mainFields, fields }: AnyComponent): void {
  if (mainFields === undefined) return
  if (!Array.isArray(mainFields))
    throw new TypeError(`${named}: mainFields is not a list. Write the names of fields, such as ["url"].`)
  for (const name of mainFields) {
    if (KINDS_OF_MAIN_FIELDS.includes(fields?.[name]?.kind)) continue
    throw new TypeError(
      `${named}: mainFields has ${JSON.stringify(name)}. Name fields of the kinds ${KINDS_OF_MAIN_FIELDS.join(', ')}.`
    )
  }
}

/** One that is named by people, as an output from a list is, would count what anybody sends. */
function assertUsage(named: string, { reportsUsage = false, outputs }: AnyComponent): void {
  if (typeof reportsUsage !== 'boolean')
    throw new TypeError(`${named}: reportsUsage is not a boolean. Write true, or leave it out.`)
  if (reportsUsage && !Object.hasOwn(outputs ?? {}, 'usage'))
    throw new TypeError(`${named} has reportsUsage and no output "usage". Add one, or leave it out.`)
}

function assertEmits(named: string, { emits, outputs }: AnyComponent): void {
  if (emits === undefined || Object.hasOwn(outputs ?? {}, emits)) return
  throw new TypeError(
    `${named}: emits is ${JSON.stringify(emits)}. Name the output that holds the text it tells, or leave it out.`
  )
}

function assertPrints(named: string, { prints, inputs }: AnyComponent): void {
  if (prints === undefined || Object.hasOwn(inputs ?? {}, prints)) return
  throw new TypeError(
    `${named}: prints is ${JSON.stringify(prints)}. Name the input whose text it prints, or leave it out.`
  )
}

function assertTools(named: string, { tools, outputs, acts }: AnyComponent): void {
  if (acts !== undefined && typeof acts !== 'function')
    throw new TypeError(`${named}: acts is not a function. Write acts: (fields) => …, or leave it out.`)
  const offering = portsIn(outputs).filter(([, port]) => port?.type === 'tools')
  const other = offering.find(([name]) => name !== TOOLS_OUTPUT)
  if (other !== undefined)
    throw new TypeError(`${named}: output "${other[0]}" is of the type tools. Call it "${TOOLS_OUTPUT}".`)
  if (tools === undefined && offering.length === 0) return
  if (offering.length === 0)
    throw new TypeError(
      `${named} has tools and no output "${TOOLS_OUTPUT}" of the type tools. Add one, or leave it out.`
    )
  if (typeof tools?.offer === 'function' && ['function', 'undefined'].includes(typeof tools.call)) return
  throw new TypeError(
    `${named} has an output of tools. Say what it offers: tools: { offer: (step) => [ … ] }.`
  )
}

/**
 * An edge names a port alone. Of two outputs with one name, that of the inside is meant where the edge leads to the inside; an
 * input has to be of one or the other.
 */
function assertRegion(named: string, { region, inputs, outputs, trigger }: AnyComponent): void {
  if (region === undefined) return
  const taken = [...portsIn(inputs), ...portsIn(outputs)].map(([name]) => name)
  const twice = portsIn(region.inputs).find(([name]) => taken.includes(name))
  if (twice !== undefined)
    throw new TypeError(`${named}: port "${twice[0]}" is inside and outside its region. Rename one of them.`)
  if (trigger !== undefined) throw new TypeError(`${named} is a trigger and a region. Make it one of both.`)
}

/** Runs of these are started by requests. */
const REQUESTS = ['webhook', 'chat', 'api']

/** A trigger that is started has to name its runs, and what is closed has to be opened. */
function assertLife(
  named: string,
  { start, trigger, open, close }: AnyComponent,
  others: readonly AnyComponent[]
): void {
  for (const [name, part] of Object.entries({ start, open, close })) {
    if (part === undefined || typeof part === 'function') continue
    throw new TypeError(`${named}: ${name} is not a function. Write one, or leave it out.`)
  }
  if (close !== undefined && open === undefined)
    throw new TypeError(`${named} has close without open. Write open: (node) => …, or leave close out.`)
  if (start === undefined) return
  const own = others.filter(({ startedBy }) => startedBy === 'service').map((other) => other.trigger!)
  const taken = [...REQUESTS, ...own]
  if (typeof trigger === 'string' && /^[a-z0-9][a-z0-9_-]*$/.test(trigger) && !taken.includes(trigger)) return
  throw new TypeError(
    `${named} has start, and its trigger is ${JSON.stringify(trigger)}. Name what its runs were started by, for example trigger: "mail"; ${taken.join(', ')} are taken.`
  )
}

/** The catalogue shows it, and would break for everybody. */
function assertShowable(what: string, part: unknown): void {
  try {
    JSON.stringify(part)
  } catch (error) {
    throw new TypeError(`${what} cannot be written as JSON: give it plain values.`, { cause: error })
  }
}

function portsIn(ports: Ports | undefined): [string, Port][] {
  return Object.entries(ports ?? {})
}

/** A wait that is not a number would never be over. */
function timesOf({ retry, timeoutMs }: AnyComponent): Record<string, unknown> {
  return {
    'retry.attempts': retry?.attempts,
    'retry.backoffMs': retry?.backoffMs,
    'retry.maxBackoffMs': retry?.maxBackoffMs,
    timeoutMs
  }
}
