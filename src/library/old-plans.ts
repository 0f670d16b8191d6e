import { type Plan, planFlow } from '../engine/plan.ts'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { FlowStore } from '../store/store.ts'

interface OldPlansDeps {
  readonly store: Pick<FlowStore, 'version'>
  readonly catalogue: Catalogue
  readonly readDocument: (text: string) => FlowDocument | Promise<FlowDocument>
}

interface PlanWanted {
  readonly flowId: string
  readonly version: number
  readonly context: string | null
}

const MOST_PLANS = 100

/** Plans of versions that are no longer live; few runs need one, and each is made again when it is. */
export class OldPlans {
  readonly #deps: OldPlansDeps
  readonly #plans = new Map<string, Plan>()

  constructor(deps: OldPlansDeps) {
    this.#deps = deps
  }

  /** In its own context, or in that of a flow that called it. */
  of(flowId: string, version: number, context: string | null): Plan | Promise<Plan> {
    const key = `${flowId}@${version}${context ?? ''}`
    return this.#plans.get(key) ?? this.#plan({ flowId, version, context }, key)
  }

  async #plan({ flowId, version, context }: PlanWanted, key: string): Promise<Plan> {
    const found = await this.#deps.store.version(flowId, version)
    if (found === undefined) throw new Error(`version ${version} of flow ${flowId} is not in the store`)
    const document = await this.#deps.readDocument(found.document)
    const plan = planFlow({ id: flowId, version, document }, this.#deps.catalogue, context ?? undefined)
    if (this.#plans.size >= MOST_PLANS) this.#plans.delete(this.#plans.keys().next().value!)
    this.#plans.set(key, plan)
    return plan
  }
}
