import { readFormFields } from '../../../../../src/flows/form/form-fields.ts'
import { sampleAnswers } from '../../../editor/form/form-rows.ts'
import { type Flow, findNode } from '../../../editor/graph/flow.ts'
import { sampleBody } from '../../../editor/snippets/sample-body.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'
import { fieldValue } from '../fields/field-value.ts'
import { pretty, textOfPayload } from './payload-text.ts'

/** The text of a payload to begin with, for a flow that nothing has started yet; `start`: the node that it is the payload of. */
export function sampleFor(flow: Flow, catalogue: PageCatalogue, start: string | undefined): string {
  const node = start === undefined ? undefined : findNode(flow, start)
  const asked = node?.type === 'form' ? catalogue.facts('form')?.fields.fields : undefined
  if (asked !== undefined)
    return textOfPayload(sampleAnswers(readFormFields(fieldValue(node!, 'fields', asked))))
  if (start !== undefined) return pretty(sampleBody(flow, catalogue, start))
  return flow.nodes.some(({ type }) => type === 'chat-input') ? '"Hello"' : '{}'
}
