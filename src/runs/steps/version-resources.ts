import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { PlannedNode } from '../../engine/plan.ts'
import type { LiveNode } from '../../flows/component/trigger.ts'
import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { liveNode, type NodeOfVersion, type Reach } from './live-node.ts'

interface VersionResourcesDeps {
  readonly library: () => Pick<FlowLibrary, 'find' | 'subscribe'>
  readonly outside: Reach
  readonly onError: (error: unknown, doing: string) => void
}

interface Resource {
  readonly node: PlannedNode
  readonly flow: NodeOfVersion['flow']
  readonly opened: Promise<unknown>
  readonly secrets: OpenedSecrets
  readonly abort: AbortController
  users: number
}

/** A step that uses what its version shares. */
interface ResourceUse {
  readonly node: PlannedNode
  readonly flow: NodeOfVersion['flow']
  readonly fields: unknown
  /** Aborted when nobody waits for the step any more, whether or not it returns. */
  readonly signal: AbortSignal
  /** Of the step: what it returns may take a while to redact. */
  readonly pacer: Pacer
}

/**
 * What components have opened for a version of a flow. It is opened by the first step that needs it and stays while the
 * version is live and not paused; after that, and for drafts and old versions, it is let go of when the last step is done.
 */
export class VersionResources {
  readonly #deps: VersionResourcesDeps
  readonly #resources = new Map<PlannedNode, Resource>()
  readonly #closing = new Set<Promise<void>>()
  #unsubscribe: (() => void) | undefined

  constructor(deps: VersionResourcesDeps) {
    this.#deps = deps
  }

  async use(step: ResourceUse, body: (opened: unknown) => unknown): Promise<unknown> {
    const resource = this.#resources.get(step.node) ?? this.#open(step)
    const done = this.#use(resource, step.signal)
    const { secrets } = resource
    try {
      const returned = await body(await resource.opened)
      return secrets.isEmpty ? returned : await inTurns(secrets.redactInTurns(returned), step.pacer)
    } catch (error) {
      throw secrets.isEmpty ? error : secrets.redactError(error)
    } finally {
      done()
    }
  }

  /** Lets go of everything; resolves when all is closed. */
  async close(): Promise<void> {
    this.#unsubscribe?.()
    for (const resource of [...this.#resources.values()]) this.#letGo(resource)
    await Promise.all(this.#closing)
  }

  #open({ node, flow, fields }: ResourceUse): Resource {
    // Nobody pays for it where no component opens anything.
    this.#unsubscribe ??= this.#deps.library().subscribe(({ flow: { id } }) => this.#look(id))
    const abort = new AbortController()
    const { node: live, secrets } = liveNode(
      { node: node.id, flow, fields },
      this.#deps.outside,
      abort.signal
    )
    const opened = Promise.resolve(live as LiveNode<never>).then((given) => node.component.open!(given))
    const resource: Resource = { node, flow, opened, secrets, abort, users: 0 }
    this.#resources.set(node, resource)
    // The next step tries again; this one is told by what it awaits.
    opened.catch(() => this.#forget(resource))
    return resource
  }

  #use(resource: Resource, signal: AbortSignal): () => void {
    let isInUse = true
    resource.users += 1
    const done = () => {
      if (!isInUse) return
      isInUse = false
      signal.removeEventListener('abort', done)
      resource.users -= 1
      if (resource.users === 0 && !this.#isLive(resource)) this.#letGo(resource)
    }
    signal.addEventListener('abort', done)
    return done
  }

  #look(flowId: string): void {
    for (const resource of [...this.#resources.values()]) {
      if (resource.flow.id === flowId && resource.users === 0 && !this.#isLive(resource))
        this.#letGo(resource)
    }
  }

  #isLive({ node, flow: { id, version } }: Resource): boolean {
    const flow = this.#deps.library().find(id)
    if (flow?.version !== version || flow.paused !== null) return false
    // Drafts that are tested have a plan of their own.
    return flow.plan.nodes[node.index] === node
  }

  #forget(resource: Resource): boolean {
    if (this.#resources.get(resource.node) !== resource) return false
    resource.abort.abort()
    return this.#resources.delete(resource.node)
  }

  #letGo(resource: Resource): void {
    if (!this.#forget(resource)) return
    const { node, opened } = resource
    const closing = opened
      .then(
        (value) => node.component.close?.(value),
        () => {}
      )
      .catch((error: unknown) => this.#deps.onError(error, `closing what node "${node.id}" had opened`))
      .then(() => void this.#closing.delete(closing))
    this.#closing.add(closing)
  }
}
