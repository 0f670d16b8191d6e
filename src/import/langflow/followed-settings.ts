import type { Absorbed } from '../assembly.ts'
import { type Become, withNote, withPlainFields } from '../become.ts'
import { at, textOf } from '../values.ts'
import { isSet, noteOfUnread, watchedSettings } from '../watched-settings.ts'
import type { LangflowNode } from './langflow-node.ts'

export interface Followed {
  readonly node: LangflowNode
  readonly unread: () => string[]
}

/** Code, and what counts in Langflow alone: keys are connections, and what is waited for comes as it is written. */
const SAYS_NOTHING =
  /^(?:code|_\w+|\w*api_key|api_key|stream|verbose|handle_parsing_errors|should_store_message|store_message|tools_metadata|tool_model_enabled|base_url_ibm_watsonx|is_ai)$/

/** All fields stand in a file: what they hold where nobody chose. */
const USUAL: Readonly<Record<string, readonly unknown[]>> = {
  sender: ['User', 'Machine', 'AI', 'Machine and User'],
  sender_name: ['User', 'AI'],
  data_template: ['{text}'],
  record_template: ['{text}'],
  template: ['{sender_name}: {text}'],
  clean_data: [true],
  order: ['Ascending'],
  timeout: [700],
  max_retries: [5],
  seed: [1],
  n_messages: [100],
  max_iterations: [15],
  ascending: [true],
  filter_operator: ['equals'],
  user_prompt: ['{input}'],
  sep: ['\n'],
  base_url: ['https://api.anthropic.com', 'http://localhost:11434'],
  agent_description: [
    'A helpful assistant with access to the following tools:',
    'A helpful assistant with access to the following tools'
  ]
}
const USUAL_FORMAT = 'You are an AI that extracts structured JSON objects'
/** Of these all fields are known; of others nobody knows which of what is unread was chosen, once they differ anyway. */
const KNOWN =
  /^(?:Agent|ToolCallingAgent|LanguageModelComponent|\w+Model|ChatInput|ChatOutput|Text(?:In|Out)put|Prompt(?: Template)?|ParserComponent|parser|CombineText|Webhook|LoopComponent)$/

/** What a component becomes is only told to be exact where all its fields were looked at. */
export function followed(node: LangflowNode): Followed {
  const { settings, isRead } = watchedSettings(node.template)
  const isUnread = (name: string) =>
    !isRead(name) && !SAYS_NOTHING.test(name) && !node.wired.has(name) && isMade(name, node)
  return { node: { ...node, template: settings }, unread: () => Object.keys(node.template).filter(isUnread) }
}

function isMade(name: string, { template }: LangflowNode): boolean {
  const value = at(template, name, 'value')
  if (Object.hasOwn(USUAL, name) && USUAL[name]!.includes(value)) return false
  return isSet(value) && !(name === 'format_instructions' && textOf(value).startsWith(USUAL_FORMAT))
}

interface Told {
  readonly becomes: Map<string, Become>
  readonly absorbed: Map<string, Absorbed>
}

/** Fields that nothing here was made of. */
export function tellUnread({ node: { id, type }, unread }: Followed, { becomes, absorbed }: Told): void {
  const become = becomes.get(id)
  const into = absorbed.get(id)
  const isTold = become?.verdict === 'exact' || into?.verdict === 'exact' || KNOWN.test(type)
  const note = isTold ? noteOfUnread(unread()) : ''
  if (become !== undefined) becomes.set(id, withNote(withPlainFields(become), note))
  if (into !== undefined && note !== '')
    absorbed.set(id, { ...into, verdict: 'adapted', note: `${into.note} ${note}`.trim() })
}
