import type { Static } from 'typebox'
import type { Report as ReportBody } from '../../../http/import/import.ts'
import type { Command } from '../../command.ts'
import { countOf } from '../../progress.ts'
import type { Tone } from '../print/paint.ts'
import type { Screen } from '../print/screen.ts'
import { harmless } from '../print/width.ts'
import { readBytes } from '../read-body.ts'
import type { Remote } from '../remote.ts'

type Report = Static<typeof ReportBody>
type ImportedFlow = Report['flows'][number]

/** A large archive takes the service a while. */
const TIMEOUT_MS = 300_000

const TONES: Readonly<Record<string, Tone>> = { exact: 'good', adapted: 'busy', placeholder: 'bad' }

export async function importFile(
  { operands, options }: Command<'import'>,
  { api, screen, outside }: Remote
): Promise<void> {
  const isDry = options['dry-run']
  const report = await api.call<Report>('/api/v1/import', {
    method: 'POST',
    query: { context: options.context, dry_run: isDry },
    body: await readBytes(operands.file, outside),
    timeoutMs: TIMEOUT_MS
  })
  if (screen.isJson) return screen.json(report)
  for (const flow of report.flows) printFlow(flow, report.format, screen)
  for (const each of report.left_out) screen.note(harmless(each))
  screen.note(endText(report, isDry, api.url))
}

function printFlow(flow: ImportedFlow, format: string, screen: Screen): void {
  const { slug, name, nodes, wires, needs } = flow
  const count = (verdict: string) => nodes.filter((node) => node.verdict === verdict).length
  screen.print(`${screen.paint('strong', harmless(slug))}  ${harmless(name)}, of ${format}\n`)
  const verdicts = ['exact', 'adapted', 'placeholder'].map((verdict) => `${count(verdict)} ${verdict}`)
  screen.print(
    `${countOf(nodes.length, 'node')}: ${verdicts.join(', ')}. ${countOf(wires.kept, 'wire')} kept, ${wires.lost} lost.\n`
  )
  if (needs.length > 0)
    screen.print(
      `Missing connections: ${needs.map((need) => `${harmless(need.name)} (${need.preset ?? need.kind})`).join(', ')}\n`
    )
  for (const node of nodes.filter(({ verdict }) => verdict !== 'exact')) printNode(node, screen)
  screen.print('\n')
}

/** The note is whole, however narrow the terminal is: it is what there is to read. */
function printNode(
  { title, was, became, verdict, note }: ImportedFlow['nodes'][number],
  screen: Screen
): void {
  const what = verdict === 'placeholder' ? was : `${was} became ${became}`
  const label = screen.paint(TONES[verdict], verdict.padEnd('placeholder'.length))
  screen.print(`\n${label}  ${screen.paint('strong', harmless(title))}  ${harmless(what)}\n`)
  if (note !== '') screen.print(`${' '.repeat('placeholder'.length)}  ${harmless(note)}\n`)
}

function endText({ flows }: Report, isDry: boolean, url: string): string {
  const what = countOf(flows.length, 'flow')
  if (isDry) return `${what} would become drafts. Nothing was saved.`
  return `${what} saved as ${flows.length === 1 ? 'a draft' : 'drafts'}: ${flows.map(({ id }) => `${url}/flows/${id}`).join(' ')}`
}
