import { type Plan, PlanError } from '../../engine/plan.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import { storedDocument } from '../../flows/json/document-json.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { ExecutableRun, ParentRef, RunStore, StoredRun } from '../../store/store.ts'
import { isCall, planOfCall } from '../children/planned-call.ts'
import { FLOW_TRIGGER, isInside } from '../children/run-result.ts'
import { testPlan } from './test-plan.ts'

/** A test may have thousands of items: its document is not compiled for each. */
const KEPT = 16

/** What runs run: a version of their flow, or of a test its draft as it was; of an item, the region that it belongs to. */
export class PlansOfRuns {
  readonly #store: Pick<RunStore, 'get' | 'testDocument' | 'testScope'>
  readonly #library: FlowLibrary
  readonly #tests = new Map<number, Promise<Plan>>()

  constructor(store: Pick<RunStore, 'get' | 'testDocument' | 'testScope'>, library: FlowLibrary) {
    this.#store = store
    this.#library = library
  }

  of(run: ExecutableRun): Plan | Promise<Plan> {
    const plan = this.#whole(run)
    if (!isInside(run) || run.parent === undefined) return plan
    const { node } = run.parent
    const inside = (made: Plan) => (isCall(run) ? planOfCall(made, node, run) : regionOf(made, node))
    return plan instanceof Promise ? plan.then(inside) : inside(plan)
  }

  #whole(run: ExecutableRun): Plan | Promise<Plan> {
    if (!runsDraft(run)) return this.#library.plan(run.flowId, run.flowVersion, run.context)
    return run.parent === undefined ? testPlan(run, this.#store, this.#library) : this.#ofTest(run.parent)
  }

  /** That of the run which an item of a test is a part of. */
  #ofTest(parent: ParentRef): Promise<Plan> {
    const known = this.#tests.get(parent.seq)
    if (known !== undefined) return known
    const plan = this.#load(parent)
    this.#tests.set(parent.seq, plan)
    const [oldest] = this.#tests.keys()
    if (this.#tests.size > KEPT) this.#tests.delete(oldest!)
    plan.catch(() => this.#tests.delete(parent.seq))
    return plan
  }

  async #load({ runId }: ParentRef): Promise<Plan> {
    const parent = await this.#store.get(runId)
    if (parent === undefined)
      throw new Error(`the run ${runId}, which this one belongs to, is not in the store`)
    return this.#whole(parent)
  }
}

/** What a test runs of other flows is live. */
function runsDraft({ isTest, trigger }: Pick<ExecutableRun, 'isTest' | 'trigger'>): boolean {
  return isTest === true && trigger !== FLOW_TRIGGER
}

type DocumentStore = Pick<RunStore, 'get' | 'testDocument'>

/** What the run runs: its version, or of a test the draft as it was; an item runs what the run does that it is a part of. */
export async function documentOfRun(
  run: Pick<StoredRun, 'seq' | 'flowId' | 'flowVersion' | 'isTest' | 'trigger' | 'parent'>,
  store: DocumentStore,
  library: Pick<FlowLibrary, 'version'>
): Promise<FlowDocument> {
  const isItem = runsDraft(run) && run.parent !== undefined
  const parent = isItem ? await store.get(run.parent!.runId) : undefined
  if (parent !== undefined) return documentOfRun(parent, store, library)
  const kept = runsDraft(run) ? await store.testDocument(run.seq) : undefined
  const { document } =
    kept === undefined ? await library.version(run.flowId, run.flowVersion) : { document: kept }
  return storedDocument(document) as FlowDocument
}

function regionOf(plan: Plan, node: string): Plan {
  const region = plan.regions.get(node)
  if (region === undefined) throw new PlanError(node, 'region_gone', 'Nothing stands inside it any more.')
  return region
}
