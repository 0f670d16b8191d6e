import type { Static } from 'typebox'
import type { DraftAnswer } from '../../../http/flows/drafts.ts'
import type { Flow as FlowBody } from '../../../http/schemas.ts'
import type { Command } from '../../command.ts'
import { harmless } from '../print/width.ts'
import type { Remote } from '../remote.ts'
import { flowPath, ofFlow } from './flow-named.ts'

type Flow = Static<typeof FlowBody>
type Draft = Static<typeof DraftAnswer>

export async function showFlow(
  { operands, options }: Command<'flows show'>,
  { api, screen }: Remote
): Promise<void> {
  const flow = await ofFlow(api, operands.flow, () => api.call<Flow>(flowPath(operands.flow)))
  const draft = await api.call<Draft | null>(flowPath(flow.id, '/draft'), { query: { or_none: true } })
  if (options.json) return screen.json({ ...flow, draft })
  screen.list(factsOf(flow, draft, api.url).map(([name, value]) => [name, harmless(value)] as const))
  screen.print('\n')
  screen.table(
    [
      { title: 'NODE', of: ({ id }) => id, tone: () => 'strong', shrinks: true },
      { title: 'TYPE', of: ({ type }) => type, shrinks: true },
      { title: 'LEADS TO', of: ({ id }) => leadsTo(flow, id), shrinks: true }
    ],
    flow.nodes
  )
}

function factsOf(flow: Flow, draft: Draft | null, url: string): [name: string, value: string][] {
  const facts: [string, string][] = [
    ['Flow', flow.slug],
    ['Name', flow.name],
    ['Id', flow.id],
    ['Context', flow.context],
    ['Live', `version ${flow.version}, since ${flow.updated_at}`],
    ['Draft', draftText(draft)],
    [
      'Webhook',
      flow.nodes.some(({ type }) => type === 'webhook') ? `${url}/api/v1/webhook/${flow.slug}` : ''
    ],
    ['Aliases', flow.aliases.join(', ')],
    [
      'Paused',
      flow.paused === null ? '' : `${flow.paused.mode}, by ${flow.paused.by} at ${flow.paused.since}`
    ],
    ['Tags', (flow.tags ?? []).join(', ')],
    ['Description', flow.description ?? '']
  ]
  return facts.filter(([, value]) => value !== '')
}

function draftText(draft: Draft | null): string {
  if (draft === null) return ''
  const { revision, author, errors } = draft
  const faults =
    errors.length === 0 ? 'can be published' : `${errors.length} to mend before it can be published`
  return `revision ${revision}${author === null ? '' : ` by ${author}`}, ${faults}`
}

function leadsTo({ edges }: Flow, id: string): string {
  const targets = edges.filter(({ from }) => nodeOf(from) === id).map(({ to }) => nodeOf(to))
  return [...new Set(targets)].join(', ')
}

function nodeOf(port: string): string {
  return port.slice(0, port.lastIndexOf('.'))
}
