import type { FlowReport, ImportReport, Needed, NodeReport, Verdict } from '../api/imports.ts'
import { counted } from '../design/counted.ts'

const TOOLS: Readonly<Record<ImportReport['format'], string>> = {
  langflow: 'Langflow',
  n8n: 'n8n',
  'node-red': 'Node-RED',
  flowise: 'Flowise',
  millrace: 'Millrace'
}

export function toolOf({ format }: Pick<ImportReport, 'format'>): string {
  return TOOLS[format] ?? format
}

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  exact: 'Exact',
  adapted: 'Adapted',
  placeholder: 'Placeholder'
}

/** In the order in which somebody has to look at them. */
const VERDICTS: readonly Verdict[] = ['placeholder', 'adapted', 'exact']

type VerdictCounts = Readonly<Record<Verdict, number>>

export function verdictCounts(flows: readonly FlowReport[]): VerdictCounts {
  const counts = { exact: 0, adapted: 0, placeholder: 0 }
  for (const { nodes } of flows) for (const { verdict } of nodes) counts[verdict] += 1
  return counts
}

/** What is left to do comes first. */
export function byVerdict(nodes: readonly NodeReport[]): NodeReport[] {
  return VERDICTS.flatMap((verdict) => nodes.filter((node) => node.verdict === verdict))
}

/** Each connection once, however many flows name it. */
export function neededBy(flows: readonly FlowReport[]): Needed[] {
  return [...new Map(flows.flatMap(({ needs }) => needs).map((one) => [one.name, one])).values()]
}

/** `7 wires, all kept`, `6 wires kept, 1 lost`. */
export function wireWords({ kept, lost }: FlowReport['wires']): string {
  if (lost > 0) return `${counted(kept, 'wire')} kept, ${lost} lost`
  if (kept < 2) return kept === 0 ? 'no wires' : '1 wire, kept'
  return `${counted(kept, 'wire')}, all kept`
}

export function lostWires(flows: readonly FlowReport[]): number {
  return flows.reduce((sum, { wires }) => sum + wires.lost, 0)
}

/** What has to be done before the flows run, in its order; connections are dealt with before it. */
export function nextSteps(flows: readonly FlowReport[]): string[] {
  const { adapted, placeholder } = verdictCounts(flows)
  const lost = lostWires(flows)
  const steps: string[] = []
  if (lost > 0)
    steps.push(`Draw the ${counted(lost, 'wire')} again that ${lost === 1 ? 'was' : 'were'} lost.`)
  if (placeholder > 0)
    steps.push(
      `Replace or remove ${counted(placeholder, 'placeholder')}: a flow with one cannot be published.`
    )
  if (adapted > 0)
    steps.push(
      `Read what differs in ${adapted === 1 ? '1 node' : `${adapted} nodes`} that ${adapted === 1 ? 'was' : 'were'} adapted.`
    )
  const pinned = flows.reduce((sum, flow) => sum + flow.pinned, 0)
  if (pinned > 0)
    steps.push(
      `Test with the pinned data: ${pinned === 1 ? '1 node gives what was pinned there, and is not run' : `${pinned} nodes give what was pinned there, and are not run`}.`
    )
  steps.push(flows.length === 1 ? 'Test the flow, then publish it.' : 'Test each flow, then publish it.')
  return steps
}
