import { createHash } from 'node:crypto'
import { isWithin } from '../../contexts/context-path.ts'
import type { Fault } from '../../errors.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { type ComponentFields, connectionUses, usedName } from '../../flows/validate/connection-uses.ts'
import { readInTurns } from '../../flows/validate/validate-flow.ts'
import type { Draft } from '../draft.ts'
import type { Drafts } from '../drafts.ts'
import { isOfFile, ofFile } from '../file-flows.ts'
import type { FlowLibrary } from '../flow-library.ts'
import { slugTaken } from '../flow-refusals.ts'
import { unpublishable, verdictOf } from '../judge-flow.ts'
import type { LiveFlow } from '../live-flow.ts'
import { operationFaults } from '../operation-faults.ts'
import { secretOf } from '../seal-signing-secrets.ts'
import { FlowsToBe, PlacesToBe } from './flows-to-be.ts'
import type { Pusher, PushOrder } from './push-order.ts'
import { changesBetween, withSecretsOf } from './pushed-flow.ts'
import { type LeftFlows, removalsOf } from './removals.ts'
import {
  type ConnectionPlan,
  type ContextPlan,
  planConnections,
  planContexts,
  type SettingsDeps
} from './settings-plan.ts'

export interface PlanDeps extends SettingsDeps {
  readonly library: FlowLibrary
  readonly drafts: Pick<Drafts, 'ofFlows'>
}

export interface FlowPlan {
  readonly slug: string
  readonly context: string
  readonly action: 'create' | 'change' | 'unchanged' | 'delete'
  /** What is different, in a few words; null where nothing is, or all is new. */
  readonly changes: string | null
  readonly faults: readonly Fault[]
  readonly warnings: readonly Fault[]
  readonly live?: LiveFlow
  /** What it is to be. */
  readonly document?: FlowDocument
  /** What people edit; it stays, and is behind then. */
  readonly draft?: Draft
}

/** Connections that flows name and that are not there, and which flows those are. */
interface MissingConnection {
  readonly name: string
  readonly context: string
  readonly kinds: readonly string[]
  readonly flows: readonly string[]
}

export interface PushPlan {
  readonly flows: readonly FlowPlan[]
  readonly contexts: readonly ContextPlan[]
  readonly connections: readonly ConnectionPlan[]
  readonly missing: readonly MissingConnection[]
  readonly left: readonly LeftFlows[]
  readonly faults: readonly Fault[]
  /** Names what would be done, to what there is now: the same plan later has the same. */
  readonly digest: string
}

interface Read {
  readonly at: string
  readonly slug: string
  readonly context: string
  readonly live: LiveFlow | undefined
  readonly document?: FlowDocument | undefined
  readonly faults: readonly Fault[]
}

/** What a push would do, now. Nothing is changed. */
export async function planPush(order: PushOrder, pusher: Pusher, deps: PlanDeps): Promise<PushPlan> {
  const { library } = deps
  const contexts = planContexts(order, pusher, deps)
  const made = new Set(contexts.flatMap(({ action, path }) => (action === 'create' ? [path] : [])))
  const connections = planConnections(order, pusher, made, deps)
  const places = new PlacesToBe(contexts, connections, { ...deps, around: library.surroundings })
  const read: Read[] = []
  const slugs = new Set<string>()
  for (const [index, sent] of order.flows.entries()) {
    read.push(await readSent(sent, `/flows/${index}`, { slugs, order, pusher, places, deps }))
  }
  const { removed, left } = removalsOf(order, pusher, slugs, library)
  const documents = read.flatMap(({ document }) => document ?? [])
  const future = new FlowsToBe(documents, new Set(removed.map(({ id }) => id)), library)
  const judged: FlowPlan[] = []
  for (const each of read) judged.push(await judge(each, { future, places, pusher, deps, order }))
  const flows = await withDrafts([...judged, ...removed.map(removal)], deps)
  const faults = [...contexts, ...connections, ...flows].flatMap((plan) => plan.faults)
  const missing = missingConnections(flows, places)
  return {
    flows,
    contexts,
    connections,
    missing,
    left,
    faults,
    digest: digestOf(flows, contexts, connections)
  }
}

interface ReadDeps {
  readonly slugs: Set<string>
  readonly order: PushOrder
  readonly pusher: Pusher
  readonly places: PlacesToBe
  readonly deps: PlanDeps
}

async function readSent(
  sent: PushOrder['flows'][number],
  at: string,
  { slugs, order, pusher, places, deps }: ReadDeps
): Promise<Read> {
  const { library } = deps
  const { document, faults } = await library.inTurns(readInTurns(sent))
  const { slug, context } = (document ?? sent) as { slug?: unknown; context?: unknown }
  const place = { at, slug: String(slug ?? ''), context: String(context ?? '/') }
  const isTwice = slugs.has(place.slug)
  slugs.add(place.slug)
  if (document === undefined) return { ...place, live: undefined, faults: faults ?? [] }
  const fault = (code: string, path: string, message: string): Read => {
    return { ...place, live: undefined, faults: [{ code, path, message }] }
  }
  const refusal = pusher.mayPut(document.context)
  if (refusal !== undefined) throw refusal
  if (isTwice)
    return fault('duplicate_slug', '/slug', `The slug "${slug}" is sent twice. Each flow has one of its own.`)
  if (!isWithin(document.context, order.scope.context))
    return fault(
      'outside_scope',
      '/context',
      `The flow lives in ${document.context}, and what is pushed to is ${order.scope.context}.`
    )
  const live = library.find(document.slug)
  if (live === undefined) return { ...place, live, document, faults: [] }
  const taken = takenBy(live, document, order, pusher)
  if (taken !== undefined) return fault('slug_taken', '/slug', taken)
  const whole = withSecretsOf(live.document, document, places.around.catalogue)
  return { ...place, live, document: whole, faults: [] }
}

/** Why the slug is not for this flow: it means another one. */
function takenBy(
  live: LiveFlow,
  { slug }: FlowDocument,
  { scope }: PushOrder,
  pusher: Pusher
): string | undefined {
  if (live.slug !== slug || !pusher.canSee(live)) return slugTaken(slug).message
  if (isWithin(live.context, scope.context)) return undefined
  return `The flow "${slug}" lives in ${live.context}, outside of ${scope.context}, and a slug belongs to one flow. Push with a prefix, such as --prefix staging-.`
}

interface JudgeDeps {
  readonly future: FlowsToBe
  readonly places: PlacesToBe
  readonly pusher: Pusher
  readonly order: PushOrder
  readonly deps: PlanDeps
}

async function judge(
  { at, ...read }: Read,
  { future, places, pusher, order, deps }: JudgeDeps
): Promise<FlowPlan> {
  const { slug, context, live, document, faults } = read
  const { library } = deps
  const base = { slug, context, warnings: [], changes: null, ...(live !== undefined && { live }) }
  const action = live === undefined ? ('create' as const) : ('change' as const)
  const below = (found: readonly Fault[]) => found.map((fault) => ({ ...fault, path: at + fault.path }))
  if (document === undefined) return { ...base, action, faults: below(faults) }
  const { around } = places
  const changes = live && (await library.inTurns(changesBetween(live.document, document, around.catalogue)))
  const isAdopted = order.origin !== 'file' || (live !== undefined && isOfFile(live))
  if (live !== undefined && changes === undefined && isAdopted)
    return { ...base, action: 'unchanged', faults: [], document }
  const verdict = await library.inTurns(verdictOf(document, around.catalogue))
  const found = [...(await library.inTurns(unpublishable(verdict, around, pusher.knows, future)))]
  if (found.length === 0)
    found.push(...(await operationFaults(document, around)).faults, ...secretFaults(document, live))
  if (live !== undefined && order.origin !== 'file' && isOfFile(live))
    found.push({ code: 'flow_from_file', path: '', message: ofFile(slug) })
  return {
    ...base,
    action,
    changes: changes ?? null,
    faults: below(found),
    warnings: below(verdict.warnings),
    document
  }
}

/** What is sealed when a flow is saved would be written before the push is, and files are no place for secrets. */
function secretFaults({ nodes }: FlowDocument, live: LiveFlow | undefined): Fault[] {
  const kept = new Set(live?.document.nodes.flatMap((node) => secretOf(node) ?? []))
  return nodes.flatMap((node, index) => {
    const secret = secretOf(node)
    if (secret === undefined || kept.has(secret)) return []
    const message = `Field "signing_secret" of node "${node.id}": a push takes no secrets. Make a connection of the kind webhook, and write its name in "connection".`
    return [
      {
        code: 'secret_in_file',
        path: `/nodes/${index}/fields/signing_secret`,
        node: node.id,
        field: 'signing_secret',
        message
      }
    ]
  })
}

function removal(live: LiveFlow): FlowPlan {
  const { slug, context } = live
  return { slug, context, action: 'delete', changes: null, faults: [], warnings: [], live }
}

async function withDrafts(flows: readonly FlowPlan[], { drafts }: PlanDeps): Promise<FlowPlan[]> {
  const touched = flows.flatMap(({ action, live }) =>
    action === 'change' || action === 'delete' ? (live ?? []) : []
  )
  const edited = touched.length === 0 ? new Map<string, Draft>() : await drafts.ofFlows(touched)
  return flows.map((plan) => {
    const draft =
      plan.action === 'unchanged' || plan.live === undefined ? undefined : edited.get(plan.live.id)
    return draft === undefined ? plan : { ...plan, draft }
  })
}

function missingConnections(flows: readonly FlowPlan[], places: PlacesToBe): MissingConnection[] {
  const { catalogue } = places.around
  const missing = new Map<string, { name: string; context: string; kinds: Set<string>; flows: Set<string> }>()
  for (const { document, slug } of flows) {
    if (document === undefined) continue
    const { context } = document
    const fieldsOf = (type: string) => catalogue.find(context, type)?.fields as ComponentFields | undefined
    for (const use of connectionUses(document, fieldsOf)) {
      const name = usedName(use, places.variables(context))
      if (places.connection(context, name) !== undefined) continue
      const key = `${context} ${name}`
      const found = missing.get(key) ?? { name, context, kinds: new Set(use.kinds), flows: new Set() }
      found.flows.add(slug)
      missing.set(key, found)
    }
  }
  return [...missing.values()].map((each) => ({ ...each, kinds: [...each.kinds], flows: [...each.flows] }))
}

function digestOf(
  flows: readonly FlowPlan[],
  contexts: readonly ContextPlan[],
  connections: readonly ConnectionPlan[]
): string {
  const done = (action: string) => action === 'create' || action === 'change' || action === 'delete'
  const told = [
    flows
      .filter(({ action }) => done(action))
      .map(({ slug, action, live, document }) => [slug, action, live?.id, live?.version, document]),
    contexts
      .filter(({ action }) => done(action))
      .map(({ path, action, wanted, before }) => [path, action, wanted, before]),
    connections
      .filter(({ action }) => done(action))
      .map(({ name, context, action, wanted, before }) => [
        name,
        context,
        action,
        wanted?.settings,
        before?.revision
      ])
  ]
  return createHash('sha256').update(JSON.stringify(told)).digest('base64url').slice(0, 32)
}
