import type { Fault } from '../errors.ts'
import type { Catalogue, Knows } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { Turns } from '../flows/in-turns.ts'
import type { NodesAround } from '../flows/validate/check-references.ts'
import { flowWarnings } from '../flows/validate/flow-warnings.ts'
import {
  MOST_EXPLAINED,
  meaningFaults,
  readInTurns,
  type Validation,
  validateInTurns
} from '../flows/validate/validate-flow.ts'
import { type Flows, flowLoopFault } from './flow-loop.ts'
import { flowInvalid } from './flow-refusals.ts'
import type { FlowOperations } from './operation-faults.ts'
import { signingSecretFault } from './signing-secret.ts'
import type { EntryDefaults } from './webhook-entry.ts'

export interface Surroundings {
  readonly catalogue: Catalogue
  readonly defaults: EntryDefaults
  readonly operations?: FlowOperations
}

/** Whether a document is sound. `knows`: the contexts that the reader of a fault may learn of. */
export function checkFlow(
  sent: unknown,
  { catalogue }: Surroundings,
  knows: Knows | undefined,
  around?: NodesAround
): Turns<Validation> {
  return validateInTurns(sent, forReader(catalogue, knows), around)
}

/** What becomes a new version has to be safe too. */
export function* judgeFlow(
  sent: unknown,
  around: Surroundings,
  knows: Knows | undefined,
  flows: Flows
): Turns<Validation> {
  const validation = yield* checkFlow(sent, around, knows)
  if (validation.document === undefined) return validation
  const fault = yield* unsafe(validation.document, around, flows)
  return fault === undefined ? validation : { faults: [fault] }
}

/** What is wrong with a sound document that depends on more than on itself and its components. */
function* unsafe(
  document: FlowDocument,
  { catalogue, defaults }: Surroundings,
  flows: Flows
): Turns<Fault | undefined> {
  return signingSecretFault(document, catalogue, defaults) ?? (yield* flowLoopFault(document, flows))
}

/** What a document and the components of its context alone say of it, whoever reads that. */
export interface Verdict {
  /** With all that was left out; absent where its shape is wrong. */
  readonly document?: FlowDocument
  readonly faults: readonly Fault[]
  readonly warnings: readonly Fault[]
}

export function* verdictOf(sent: unknown, catalogue: Catalogue): Turns<Verdict> {
  const { document, faults } = yield* readInTurns(sent)
  if (document === undefined) return { faults, warnings: [] }
  const found = yield* meaningFaults(document, { ...catalogue, explainMissing: () => '' })
  yield
  return { document, faults: found, warnings: flowWarnings(document, catalogue) }
}

/** The faults of a verdict, in words for this reader. */
function faultsFor({ document, faults }: Verdict, catalogue: Catalogue, knows?: Knows): Fault[] {
  let unknown = 0
  return faults.map((fault) => {
    const [, index] = /^\/nodes\/(\d+)\/type$/.exec(fault.path) ?? []
    const node = document?.nodes[Number(index)]
    if (fault.code !== 'unknown_type' || node === undefined || ++unknown > MOST_EXPLAINED) return fault
    const why = catalogue.explainMissing(document!.context, node.type, knows)
    return { ...fault, message: `${fault.message} ${why}` }
  })
}

/** What keeps a document that was judged from becoming live, apart from its slug. */
export function* unpublishable(
  verdict: Verdict,
  around: Surroundings,
  knows: Knows | undefined,
  flows: Flows
): Turns<Fault[]> {
  const { document } = verdict
  const faults = faultsFor(verdict, around.catalogue, knows)
  if (document === undefined || faults.length > 0) return faults
  const fault = yield* unsafe(document, around, flows)
  return fault === undefined ? [] : [fault]
}

/** The document; throws with its faults where it has some. */
export function soundDocument({ document, faults }: Validation): FlowDocument {
  if (document !== undefined) return document
  throw flowInvalid(faults)
}

function forReader(catalogue: Catalogue, knows: Knows | undefined): Catalogue {
  if (knows === undefined) return catalogue
  return { ...catalogue, explainMissing: (context, type) => catalogue.explainMissing(context, type, knows) }
}
