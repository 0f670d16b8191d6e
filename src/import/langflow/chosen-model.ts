import { modelConnection } from '../connection-names.ts'
import { bounded, listOf, membersIn, numberOf, textOf } from '../values.ts'
import { isVariable, type LangflowNode, textIn, valueIn } from './langflow-node.ts'

/** Which model: newer files have a list with provider and name, older ones two fields. */
export function modelOf(node: LangflowNode): { provider: string; model: string } {
  if (node.model !== undefined) return modelOf(node.model)
  const [chosen] = membersIn(listOf(valueIn(node, 'model', 'agent_llm')))
  if (chosen !== undefined) return { provider: textOf(chosen.provider), model: textOf(chosen.name) }
  const provider = textIn(node, 'provider', 'agent_llm') || providerOfType(node.type)
  return {
    provider: provider === 'connect_other_models' ? 'OpenAI' : provider,
    model: textIn(node, 'model_name', 'model', 'model_id', 'deployment_name')
  }
}

/** Components of one provider are called by it. */
function providerOfType(type: string): string {
  const provider = /^(?!Language)(.+)Model(?:Component)?$/.exec(type)?.[1]
  return provider ?? 'OpenAI'
}

/** Newer files leave the choice to whoever opens them first. */
function usualModel(kind: string): string {
  if (kind === 'anthropic') return 'claude-sonnet-4-0'
  return kind === 'google' ? 'gemini-2.5-flash' : 'gpt-4o-mini'
}

/** The fields that a model is asked by: those of the model that is wired to the node, where one is. */
export function modelFields(node: LangflowNode) {
  const { provider, model } = modelOf(node)
  const set = node.model ?? node
  const key = isVariable(set, 'api_key') ? textIn(set, 'api_key') : ''
  const connection = modelConnection(provider || 'OpenAI', key.replace(/_API_KEY$/i, '').toLowerCase())
  const temperature = numberOf(valueIn(set, 'temperature'))
  const tokens = bounded(valueIn(set, 'max_tokens'), 0, 100_000_000)
  return {
    connection,
    fields: {
      connection: connection.name,
      model: model || usualModel(connection.kind),
      ...(temperature === undefined ? {} : { temperature: Math.min(2, Math.max(0, temperature)) }),
      ...(tokens ? { max_tokens: tokens } : {})
    }
  }
}

const LENDS: ReadonlySet<string> = new Set(['model_output', 'llm', 'embeddings'])

/** A model of its own node, wired into what asks it: its settings are that node's. */
export function isModelOnly(node: LangflowNode): boolean {
  return node.outputs.length > 0 && node.outputs.every((output) => LENDS.has(output))
}

/** Whether a wire from this output says which model asks. */
export function isModelWire({ output }: { readonly output: string }): boolean {
  return output !== 'embeddings' && LENDS.has(output)
}
