import type { Catalogue, Knows } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { type Validation, validateFlow } from '../flows/validate/validate-flow.ts'
import { type Flows, flowLoopFault } from './flow-loop.ts'
import { flowInvalid } from './flow-refusals.ts'
import type { EntryDefaults } from './live-flow.ts'
import { signingSecretFault } from './signing-secret.ts'

export interface Surroundings {
  readonly catalogue: Catalogue
  readonly defaults: EntryDefaults
}

/** Whether a document is sound. `knows`: the contexts that the reader of a fault may learn of. */
export function checkFlow(sent: unknown, { catalogue }: Surroundings, knows: Knows | undefined): Validation {
  return validateFlow(sent, forReader(catalogue, knows))
}

/** What becomes a new version has to be safe too. */
export function judgeFlow(
  sent: unknown,
  around: Surroundings,
  knows: Knows | undefined,
  flows: Flows
): Validation {
  const validation = checkFlow(sent, around, knows)
  if (validation.document === undefined) return validation
  const { document } = validation
  const fault =
    signingSecretFault(document, around.catalogue, around.defaults) ?? flowLoopFault(document, flows)
  return fault === undefined ? validation : { faults: [fault] }
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
