import type { EditedDocument } from '../../assistant/flow-edits.ts'
import { asData } from '../../assistant/instructions.ts'
import { typesIn } from '../../assistant/told-flow.ts'
import type { AskedAssistant } from './assistant-schema.ts'
import type { Looks } from './looks.ts'

interface QuestionOf {
  readonly asked: AskedAssistant
  readonly document: EditedDocument
  /** As it is told. */
  readonly flow: string
  /** Names and kinds, and never more of them. */
  readonly connections: readonly { readonly name: string; readonly kind: string }[]
  readonly looks: Looks
}

/** What the model is asked, with all that it needs at the beginning: most changes then take one answer. */
export async function questionOf({ asked, document, flow, connections, looks }: QuestionOf): Promise<string> {
  const { words, run_id: run, node } = asked
  const types = typesIn(document)
  const parts = [
    document.nodes.length === 0
      ? `The flow is empty: ${asData(flow)}`
      : `The flow as it is now: ${asData(flow)}`,
    ...(types.length === 0 ? [] : [`Its components: ${asData(await looks.componentsOf(types))}`]),
    `Connections that it can name: ${asData(JSON.stringify(connections))}`,
    ...(run === undefined ? [] : [`A run of it: ${asData(await looks.run(run))}`]),
    taskOf(words, node)
  ]
  return parts.join('\n\n')
}

function taskOf(words: string, node: string | undefined): string {
  if (node === undefined) return `What the person wants:\n${words}`
  const more = words.trim() === '' ? '' : `\nThe person adds:\n${words}`
  return `The node "${node}" failed in that run. Find out why from its error, its fields and what came into it, and propose what mends it. Change as little as you can.${more}`
}
