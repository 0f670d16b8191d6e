import type { NodeReport } from './imported-flow.ts'

/** What is said of a node besides what it became. */
interface Omissions {
  /** Titles of nodes that it read, and that do not lead to it here. */
  readonly missing?: readonly string[] | undefined
  /** Wires that nothing here stands for. */
  readonly lost?: readonly LostWire[] | undefined
  /** What nodes say that were made for it. */
  readonly beside?: readonly string[] | undefined
}

export interface LostWire {
  readonly side: 'from' | 'to'
  /** Of the node at the other end. */
  readonly title: string
}

/** Who is exact in all else has lost something all the same. */
export function withOmissions(
  report: NodeReport,
  { missing = [], lost = [], beside = [] }: Omissions
): NodeReport {
  const notes = [...(missing.length > 0 ? [missingNote(missing)] : []), ...lost.map(lostNote)]
  if (notes.length + beside.length === 0) return report
  return {
    ...report,
    verdict: report.verdict === 'exact' ? 'adapted' : report.verdict,
    note: [...notes, report.note, ...beside].filter((note) => note !== '').join(' ')
  }
}

function missingNote(missing: readonly string[]): string {
  const names = missing.map((title) => JSON.stringify(title)).join(', ')
  return `It read ${names}, which does not lead to it here, so nothing stands for that: wire it in before, and read it.`
}

function lostNote({ side, title }: LostWire): string {
  const name = JSON.stringify(title)
  return side === 'from'
    ? `The wire from ${name} was left out, as nothing that stands here takes it: lead it to what is to run then.`
    : `The wire to ${name} was left out, as nothing that stands here gives it.`
}
