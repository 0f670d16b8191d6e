import type { Connection } from '../../connections/connection.ts'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { isContextName, parentPath, ROOT } from '../../contexts/context-path.ts'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { type Fault, MillraceError } from '../../errors.ts'
import { sortedMembers } from '../../flows/document/ordered-document.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import type { ContextLibrary } from '../context-library.ts'
import type { MadeContext } from '../made-context.ts'
import { rootFaults } from '../root-context.ts'
import type { Pusher, PushOrder, WantedContext } from './push-order.ts'

/** `differs`: it is not as it was sent, and stays as it is. `missing`: it cannot be made without its secrets. */
type SettingsAction = 'create' | 'change' | 'unchanged' | 'differs' | 'missing'

export interface ContextPlan {
  readonly path: string
  readonly action: SettingsAction
  /** What is different, by names. */
  readonly changes: readonly string[]
  readonly faults: readonly Fault[]
  /** As it is to be, where it is made or changed. */
  readonly wanted?: WantedContext
  readonly before?: MadeContext
}

export interface ConnectionPlan {
  readonly name: string
  readonly context: string
  readonly kind: string
  readonly action: SettingsAction
  readonly changes: readonly string[]
  readonly faults: readonly Fault[]
  readonly wanted?: Connection
  readonly before?: Connection
}

export interface SettingsDeps {
  readonly tree: ContextTree
  readonly contexts: ContextLibrary
  readonly connections: ConnectionLibrary
}

/** What becomes of the contexts: those that were sent, and those that flows and connections are sent for. */
export function planContexts(order: PushOrder, pusher: Pusher, deps: SettingsDeps): ContextPlan[] {
  const sent = new Map(order.contexts.map((wanted, index) => [wanted.path, { wanted, index }]))
  const named = [...order.flows, ...order.connections].flatMap(({ context }) =>
    typeof context === 'string' ? [context] : []
  )
  const paths = new Set([...sent.keys(), ...named, order.scope.context].flatMap((path) => upwards(path)))
  if (sent.has(ROOT)) paths.add(ROOT)
  const plans: ContextPlan[] = []
  for (const path of [...paths].toSorted()) {
    const { wanted, index = -1 } = sent.get(path) ?? {}
    const at = index === -1 ? '' : `/contexts/${index}`
    if (!deps.tree.has(path)) plans.push(contextToMake(path, at, wanted, pusher, deps))
    else if (wanted !== undefined) plans.push(contextToChange(wanted, at, order, pusher, deps))
  }
  return plans
}

/** The context and those above it, but for the root. A path that is none is for the judge of the document. */
function upwards(path: string): string[] {
  const paths: string[] = []
  for (let at: string | undefined = path; at !== undefined && at !== '/' && at !== ''; at = parentPath(at))
    paths.push(at)
  return paths.every((each) => isContextName(each.slice(each.lastIndexOf('/') + 1))) ? paths : []
}

function contextToMake(
  path: string,
  at: string,
  wanted: WantedContext | undefined,
  { mayChangeContexts }: Pusher,
  { contexts }: SettingsDeps
): ContextPlan {
  const faults: Fault[] = []
  if (!mayChangeContexts) {
    const message = `There is no context "${path}", and this key cannot make it. Use a key with the right "admin" that is not bound, or make the context first.`
    faults.push({ code: 'unknown_context', path: at, message })
  } else if (contexts.isHidden(path)) {
    const message = `The context "${path}" is kept, and what it stood in is gone. Load the plugin that makes it, or choose another name.`
    faults.push({ code: 'context_exists', path: at, message })
  }
  return {
    path,
    action: 'create',
    changes: [],
    faults,
    wanted: wanted ?? { path, variables: {}, settings: {} }
  }
}

function contextToChange(
  wanted: WantedContext,
  at: string,
  { changesSettings }: PushOrder,
  { mayChangeContexts }: Pusher,
  { contexts, tree }: SettingsDeps
): ContextPlan {
  const { path } = wanted
  const before = contexts.find(path)
  const changes = changedMembers(holdings(before), holdings(wanted))
  const plan = { path, changes, faults: [] }
  if (changes.length === 0) return { ...plan, action: 'unchanged' }
  if (!changesSettings) return { ...plan, action: 'differs' }
  const faultOf = (code: string, message: string): ContextPlan => {
    return { ...plan, action: 'change', faults: [{ code, path: at, message }] }
  }
  if (before === undefined) {
    return faultOf(
      'context_is_code',
      `The context "${path}" is made by a plugin, and holds no variables and limits of its own. Take its file out.`
    )
  }
  if (!mayChangeContexts)
    return faultOf(
      'forbidden',
      `This key cannot change the context "${path}". Use one with the right "admin" that is not bound.`
    )
  const faults = path === ROOT ? rootFaults(wanted, tree, at) : []
  return { ...plan, action: 'change', faults, wanted, before }
}

/** All that a context holds, under names that people know. */
function holdings(
  context: Pick<WantedContext, 'variables' | 'settings'> | undefined
): Record<string, unknown> {
  const { variables = {}, settings = {} } = context ?? {}
  const named = Object.entries(variables).map(([name, value]) => [`variables.${name}`, value] as const)
  return Object.fromEntries([...named, ...Object.entries(settings)])
}

function changedMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.filter((name) => writeJson(before[name] ?? null) !== writeJson(after[name] ?? null))
}

/** What becomes of the connections. Of those that the pusher does not administer nothing is told. */
export function planConnections(
  order: PushOrder,
  pusher: Pusher,
  made: ReadonlySet<string>,
  deps: SettingsDeps
): ConnectionPlan[] {
  return order.connections.flatMap((sent, index): ConnectionPlan[] => {
    if (!pusher.administers(sent.context)) return []
    const before = deps.connections
      .list()
      .find(({ name, context }) => name === sent.name && context === sent.context)
    const { name, context, kind } = sent
    const plan = { name, context, kind, changes: changesOf(before, sent), faults: [] }
    if (before !== undefined && plan.changes.length === 0) return [{ ...plan, action: 'unchanged' }]
    if (before !== undefined && !order.changesSettings) return [{ ...plan, action: 'differs' }]
    const action = before === undefined ? ('create' as const) : ('change' as const)
    try {
      const wanted = deps.connections.toBe({ ...sent, secrets: {} }, before, { ...pusher, made })
      return [{ ...plan, action, wanted, ...(before !== undefined && { before }) }]
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error
      const faults = faultsIn(error, `/connections/${index}`)
      const needsSecrets = before === undefined && faults.every(({ path }) => path.includes('/secrets/'))
      return [needsSecrets ? { ...plan, action: 'missing' } : { ...plan, action, faults }]
    }
  })
}

function faultsIn({ code, message, extras }: MillraceError, at: string): Fault[] {
  const told = extras.errors ?? []
  if (told.length === 0) return [{ code, path: at, message }]
  return told.map((fault) => ({ ...fault, path: at + fault.path }))
}

function changesOf(
  before: Connection | undefined,
  { kind, settings }: PushOrder['connections'][number]
): string[] {
  if (before === undefined) return []
  const changes = changedMembers(sortedMembers(before.settings), sortedMembers(settings))
  return before.kind === kind ? changes : ['kind', ...changes]
}
