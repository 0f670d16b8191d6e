import type { FlowReport, ImportReport, Needed } from '../api/imports.ts'
import { counted } from '../design/counted.ts'
import {
  byVerdict,
  neededBy,
  nextSteps,
  toolOf,
  VERDICT_WORDS,
  verdictCounts,
  wireWords
} from './report-words.ts'

/** The report as a document that people keep beside the flows. */
export function reportMarkdown(fileName: string, report: ImportReport): string {
  const { flows } = report
  const { exact, adapted, placeholder } = verdictCounts(flows)
  const parts = [
    `# Import of ${plain(fileName)}`,
    `${counted(flows.length, 'flow')} of ${toolOf(report)}: ${exact} exact, ${adapted} adapted, ${counted(placeholder, 'placeholder')}.`,
    ...report.left_out.map(plain),
    ...connectionsPart(neededBy(flows)),
    '## What to do next',
    nextSteps(flows)
      .map((step, at) => `${at + 1}. ${step}`)
      .join('\n'),
    ...flows.flatMap(flowPart)
  ]
  return `${parts.join('\n\n')}\n`
}

function connectionsPart(needs: readonly Needed[]): string[] {
  if (needs.length === 0) return []
  return [
    '## Missing connections',
    needs.map(({ name, kind, preset }) => `- ${plain(name)} (${plain(preset ?? kind)})`).join('\n')
  ]
}

function flowPart({ name, slug, nodes, wires }: FlowReport): string[] {
  const rows = byVerdict(nodes).map(
    ({ title, was, node, became, verdict, note }) =>
      `| ${plain(title)} | ${plain(was)} | ${plain(node)} | ${plain(became)} | ${VERDICT_WORDS[verdict]} | ${plain(note)} |`
  )
  return [
    `## ${plain(name)}`,
    `Slug: ${plain(slug)}. Wires: ${wireWords(wires)}.`,
    ...(rows.length === 0
      ? []
      : [
          ['| Node | Was | Is now | Component | Verdict | Note |', '|---|---|---|---|---|---|', ...rows].join(
            '\n'
          )
        ])
  ]
}

/** Words of others stay in their cell, and are no marks. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|#~]/g, '\\$&')
}
