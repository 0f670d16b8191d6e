import type { Plan } from '../engine/plan.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { FlowStore } from '../store/store.ts'
import type { FlowVersion, VersionQuestion } from '../store/versions.ts'
import { versionNotFound } from './flow-refusals.ts'
import type { LiveFlow } from './live-flow.ts'
import type { LiveFlows } from './live-flows.ts'
import { OldPlans } from './old-plans.ts'

interface FlowVersionsDeps {
  readonly store: Pick<FlowStore, 'version' | 'versions'>
  readonly catalogue: Catalogue
  readonly readDocument: (text: string) => FlowDocument | Promise<FlowDocument>
}

/** All versions of flows: the live ones are in memory, the others in the store, also those of deleted flows. */
export class FlowVersions {
  readonly #flows: LiveFlows
  readonly #store: FlowVersionsDeps['store']
  readonly #oldPlans: OldPlans
  readonly #readDocument: FlowVersionsDeps['readDocument']

  constructor(flows: LiveFlows, deps: FlowVersionsDeps) {
    this.#flows = flows
    this.#store = deps.store
    this.#oldPlans = new OldPlans(deps)
    this.#readDocument = deps.readDocument
  }

  list({ id }: LiveFlow, question: VersionQuestion): ReturnType<FlowStore['versions']> {
    return this.#store.versions(id, question)
  }

  async get(live: LiveFlow, version: number): Promise<FlowVersion> {
    const found = await this.#store.version(live.id, version)
    if (found === undefined) throw versionNotFound(live, version)
    return found
  }

  /** The context that a version lives in, of a deleted flow too. */
  async contextOf(flowId: string, version: number): Promise<string | undefined> {
    const live = this.#flows.get(flowId)
    if (live?.version === version) return live.context
    const found = await this.#store.version(flowId, version)
    return found && (await this.#readDocument(found.document)).context
  }

  /** The plan of any version, at once when it is live; in its own context where none is named. Unfinished runs of a deleted flow find theirs too. */
  plan(flowId: string, version: number, context: string | null): Plan | Promise<Plan> {
    const live = this.#flows.get(flowId)
    if (live?.version !== version) return this.#oldPlans.of(flowId, version, context)
    return context === null ? live.plan : live.planIn(context)
  }
}
