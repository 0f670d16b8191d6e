import type { Command } from '../../command.ts'
import { type Tone, toneOf } from '../print/paint.ts'
import type { Column } from '../print/table.ts'
import { ago } from '../print/times.ts'
import type { Remote } from '../remote.ts'
import { allFlows, type Listed } from './flow-named.ts'

export async function listFlows(
  { options }: Command<'flows list'>,
  { api, screen, outside }: Remote
): Promise<void> {
  const { context, tag } = options
  const flows = await allFlows(api, { context, tag, recent: 1, drafts: true })
  if (screen.isJson) return screen.json({ flows })
  if (flows.length === 0) return screen.note(noneText(context, tag))
  const sorted = flows.toSorted((a, b) => compare(a.context, b.context) || compare(a.slug, b.slug))
  screen.table(columnsAt(outside.now()), sorted)
}

function columnsAt(now: number): Column<Listed>[] {
  return [
    { title: 'FLOW', of: ({ slug }) => slug, tone: () => 'strong', shrinks: true },
    { title: 'NAME', of: ({ name }) => name, shrinks: true, leaves: 2 },
    { title: 'CONTEXT', of: ({ context }) => context, shrinks: true, leaves: 3 },
    { title: 'LIVE', of: ({ version }) => `v${version}`, align: 'right', leaves: 1 },
    { title: 'STATE', of: stateOf, tone: (flow) => (flow.paused === null ? 'dim' : 'busy') },
    { title: 'LAST RUN', of: (flow) => lastRunText(flow, now), tone: lastRunTone, leaves: 4 }
  ]
}

function stateOf({ paused, draft }: Listed): string {
  const states = [
    paused === null ? '' : 'paused',
    draft === null || draft === undefined ? '' : draft.faults > 0 ? `draft, ${draft.faults} to mend` : 'draft'
  ]
  return states.filter((state) => state !== '').join(', ')
}

function lastRunText({ recent_runs: [last] = [] }: Listed, now: number): string {
  return last === undefined ? '' : `${last.status}, ${ago(last.created_at, now)}`
}

function lastRunTone({ recent_runs: [last] = [] }: Listed): Tone | undefined {
  return last === undefined ? undefined : toneOf(last.status)
}

function noneText(context: string | undefined, tag: string | undefined): string {
  const where = [
    context === undefined ? '' : ` in ${context}`,
    tag === undefined ? '' : ` with the tag "${tag}"`
  ]
  return `The key sees no flows${where.join('')}.`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
