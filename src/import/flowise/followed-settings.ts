import type { Absorbed } from '../assembly.ts'
import { type Become, withNote } from '../become.ts'
import type { Members } from '../values.ts'
import { isSet, noteOfUnread, watchedSettings } from '../watched-settings.ts'
import type { FlowiseNode } from './flowise-node.ts'

/** Credentials are connections, answers come as they are written wherever somebody waits for them, and the rest says how it is drawn or called. */
const SAYS_NOTHING =
  /(?:^|\.)(?:credential|FLOWISE_CREDENTIAL_ID|streaming|(?:agent|llmNode|condition|conditionAgent|chain)Name|memoryKey|selected\w+Tab_\w+|updateStateMemory|stateMemory|\w+ModelConfig\.\w+Model|agentSelectedToolConfig\.agentSelectedTool)$/
/** What is so where nobody chose. */
const USUAL: readonly (readonly [path: RegExp, value: unknown])[] = [
  [/ReturnResponseAs$/, 'userMessage'],
  [/(?:^|\.)imageResolution$/, 'low']
]
/** Settings of what is turned off by another one. */
const TURNED_OFF: readonly (readonly [path: RegExp, by: string])[] = [
  [/^(?:approvalPrompt|approveButtonText|rejectButtonText)$/, 'interrupt'],
  [/^agentMemory\w+$/, 'agentEnableMemory'],
  [/^llmMemory\w+$/, 'llmEnableMemory']
]
/** What wires lend is named in the settings, too. */
const LENT = /^\{\{\s*[\w-]+\.data\.instance\s*\}\}$/

interface Followed {
  readonly node: FlowiseNode
  readonly unread: () => string[]
}

/** What a node becomes is only told to be exact where all its settings were looked at. */
export function followed(node: FlowiseNode): Followed {
  const { settings, unread } = watchedSettings(node.inputs, isMade)
  return {
    node: { ...node, inputs: settings },
    unread: () => unread().filter((path) => !SAYS_NOTHING.test(path) && !isOff(path, node.inputs))
  }
}

function isOff(path: string, settings: Members): boolean {
  return TURNED_OFF.some(([pattern, by]) => pattern.test(path) && settings[by] !== true)
}

function isMade(value: unknown, path: string): boolean {
  if (Array.isArray(value)) return value.some((item) => isMade(item, path))
  if (USUAL.some(([pattern, usual]) => value === usual && pattern.test(path))) return false
  return isSet(value) && !(typeof value === 'string' && LENT.test(value))
}

interface Told {
  readonly becomes: Map<string, Become>
  readonly absorbed: Map<string, Absorbed>
}

/** Settings that nothing here was made of. */
export function tellUnread(
  { id }: FlowiseNode,
  unread: readonly string[],
  { becomes, absorbed }: Told
): void {
  const note = noteOfUnread(unread)
  const become = becomes.get(id)
  if (become !== undefined) becomes.set(id, withNote(become, note))
  const into = absorbed.get(id)
  if (into !== undefined && note !== '')
    absorbed.set(id, { ...into, verdict: 'adapted', note: `${into.note} ${note}`.trim() })
}
