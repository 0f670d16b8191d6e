import type { ListedFlow } from '../../api/shapes.ts'
import { cronWords } from '../../editor/schedule/cron-words.ts'

type Started = Pick<ListedFlow, 'nodes'>
type StartNode = ListedFlow['nodes'][number]

const WORDS: Readonly<Record<string, (fields: StartNode['fields']) => string>> = {
  webhook: () => 'Webhook',
  form: () => 'Form',
  'chat-input': () => 'Chat',
  schedule: (fields) => {
    const { cron, timezone } = scheduleOf(fields)
    return `${cronWords(cron)} ${timezone}`
  },
  watch: (fields) => `Watches, every ${textOf(fields.every, '5m')}`,
  'run-failed': () => 'When a run fails'
}

/** What starts the live version of a flow, in a few words each; empty where nothing does. */
export function startWords({ nodes }: Started): string[] {
  return startNodes(nodes).map(({ type, fields }) => WORDS[type]!(fields))
}

/** When its schedules come next is computed from these. */
export function schedulesOf({ nodes }: Started): { readonly cron: string; readonly timezone: string }[] {
  return startNodes(nodes)
    .filter(({ type }) => type === 'schedule')
    .map(({ fields }) => scheduleOf(fields))
}

function startNodes(nodes: Started['nodes']): StartNode[] {
  return nodes.filter(({ type, disabled }) => Object.hasOwn(WORDS, type) && disabled !== true)
}

function scheduleOf(fields: StartNode['fields']) {
  return { cron: textOf(fields.cron, '0 9 * * *'), timezone: textOf(fields.timezone, 'UTC') }
}

function textOf(value: unknown, fallback: string): string {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : fallback
}
