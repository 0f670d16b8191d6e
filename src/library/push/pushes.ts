import { writeConnection } from '../../connections/connection.ts'
import { leadsToAnother } from '../../connections/connection-change.ts'
import { parentPath, ROOT } from '../../contexts/context-path.ts'
import { MillraceError } from '../../errors.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { writeJsonInTurns } from '../../flows/json/document-json.ts'
import { toldFaults } from '../../flows/validate/told-faults.ts'
import type { Push, PushStore } from '../../store/pushes.ts'
import { slugTakenMeanwhile } from '../flow-refusals.ts'
import type { LiveFlow } from '../live-flow.ts'
import { type MadeContext, storedContext } from '../made-context.ts'
import { UNSET_ROOT } from '../root-context.ts'
import { type FlowPlan, type PlanDeps, type PushPlan, planPush } from './plan-push.ts'
import type { Pusher, PushOrder } from './push-order.ts'

interface PushesDeps extends PlanDeps {
  readonly store: PushStore
  readonly newId: () => string
  readonly now: () => number
  /** Brings in what other processes have changed. */
  readonly catchUp?: () => Promise<void>
  /** Resolves when other processes have the contexts and connections that were written here; absent where there are none. */
  readonly confirmed?: (part: 'contexts' | 'connections') => Promise<void>
}

interface Pushed {
  readonly plan: PushPlan
  /** Those that were made or changed, by their slugs. */
  readonly flows: ReadonlyMap<string, LiveFlow>
}

/** Somebody may come in between so often, where no plan was agreed on. */
const MOST_ATTEMPTS = 5

/** Publishes many flows, with contexts and connections, all at once or not at all. */
export class Pushes {
  readonly #deps: PushesDeps

  constructor(deps: PushesDeps) {
    this.#deps = deps
  }

  plan(order: PushOrder, pusher: Pusher): Promise<PushPlan> {
    return planPush(order, pusher, this.#deps)
  }

  /** With the digest of a plan it is done only where nothing has changed since then. */
  async push(order: PushOrder, pusher: Pusher, agreed?: string): Promise<Pushed> {
    for (let attempt = 1; ; attempt++) {
      const plan = await this.plan(order, pusher)
      if (plan.faults.length > 0) throw invalid(plan)
      if (agreed !== undefined && plan.digest !== agreed) throw changedMeanwhile()
      if (!doesAnything(plan)) return { plan, flows: new Map() }
      const flows = await this.#apply(plan, order, pusher)
      if (flows !== undefined) return { plan, flows: new Map(flows.map((flow) => [flow.slug, flow])) }
      if (agreed !== undefined || attempt === MOST_ATTEMPTS) throw changedMeanwhile()
      await this.#deps.catchUp?.()
    }
  }

  /** Undefined where something has changed since it was planned. */
  async #apply(plan: PushPlan, order: PushOrder, pusher: Pusher): Promise<readonly LiveFlow[] | undefined> {
    const { contexts, connections, library, store } = this.#deps
    const made = plan.contexts.flatMap((each) => this.#madeContext(each) ?? [])
    const push = await this.#pushOf(plan, made, order, pusher)
    const written = await contexts.during((place) =>
      library.push(
        push.removals.map(({ id }) => id),
        async () => {
          const result = await store.apply(push)
          if (!result.won) return result
          place(made)
          for (const { connection, voidsTokens } of push.connections)
            if (voidsTokens === true) connections.forgetTokens(connection.id)
          if (push.connections.length > 0) await connections.load()
          return result
        }
      )
    )
    if ('won' in written) {
      // Made in the same moment; where it is that of a deleted flow, to look again would not help.
      if (written.because === 'stale' || library.find(written.slug) !== undefined) return undefined
      throw slugTakenMeanwhile(written.slug)
    }
    if (push.contexts.length > 0) await this.#deps.confirmed?.('contexts')
    if (push.connections.length > 0) await this.#deps.confirmed?.('connections')
    return written
  }

  #madeContext({ action, wanted, before }: PushPlan['contexts'][number]): MadeContext | undefined {
    if (wanted === undefined || (action !== 'create' && action !== 'change')) return undefined
    const { newId, now } = this.#deps
    const { path, variables, settings } = wanted
    return { ...(before ?? { id: newId(), createdAt: now() }), path, variables, settings }
  }

  async #pushOf(
    { contexts, connections, flows }: PushPlan,
    made: readonly MadeContext[],
    order: PushOrder,
    pusher: Pusher
  ): Promise<Push> {
    const at = this.#deps.now()
    const befores = new Map(
      contexts.flatMap(({ path, before }) =>
        before === undefined || before === UNSET_ROOT ? [] : [[path, before]]
      )
    )
    const isNew = new Set(made.flatMap(({ path }) => (befores.has(path) ? [] : [path])))
    const isMade = (path: string) => (isNew.has(path) && path !== ROOT) || this.#deps.contexts.mayGo(path)
    const push = { creates: [] as Push['creates'][number][], saves: [] as Push['saves'][number][] }
    for (const flow of flows) {
      if (flow.document === undefined || flow.action === 'unchanged') continue
      const written = {
        ...(await this.#written(flow, flow.document, order, pusher)),
        isContextMade: isMade(flow.document.context)
      }
      if (flow.live === undefined) push.creates.push({ ...written, id: this.#deps.newId(), createdAt: at })
      else push.saves.push({ ...written, id: flow.live.id, baseVersion: flow.live.version, at })
    }
    return {
      ...push,
      contexts: made.map((context) => {
        const before = befores.get(context.path)
        const parent = parentPath(context.path) ?? ROOT
        const within = !isNew.has(parent) && this.#deps.contexts.mayGo(parent) ? parent : undefined
        return {
          context: storedContext(context),
          ...(before === undefined ? { within } : { before: storedContext(before) })
        }
      }),
      connections: connections.flatMap(({ action, before, wanted }) => {
        if (wanted === undefined || (action !== 'create' && action !== 'change')) return []
        const voidsTokens = before !== undefined && leadsToAnother(before, wanted)
        return [{ connection: writeConnection(wanted), isContextMade: isMade(wanted.context), voidsTokens }]
      }),
      removals: flows.flatMap(({ action, live }) => {
        return action === 'delete' ? [{ id: live!.id, version: live!.version, at, by: pusher.author }] : []
      })
    }
  }

  async #written(
    { changes }: FlowPlan,
    document: FlowDocument,
    { origin }: PushOrder,
    { author, mayTake }: Pusher
  ) {
    const { slug, context } = document
    const text = await this.#deps.library.inTurns(writeJsonInTurns(document))
    return { slug, context, document: text, facts: { origin, author, changes }, mayTake }
  }
}

function doesAnything({ flows, contexts, connections }: PushPlan): boolean {
  return [...flows, ...contexts, ...connections].some(({ action }) =>
    ['create', 'change', 'delete'].includes(action)
  )
}

function invalid({ faults }: PushPlan): MillraceError {
  const [first, ...others] = faults
  const more = others.length === 0 ? '' : ` And ${others.length} more, see errors.`
  return new MillraceError('push_invalid', `Nothing was changed. ${first!.message}${more}`, {
    errors: toldFaults(faults)
  })
}

function changedMeanwhile(): MillraceError {
  return new MillraceError(
    'push_conflict',
    'Nothing was changed: somebody has changed what the push was planned for. Look at what it would do now, and push again.'
  )
}
