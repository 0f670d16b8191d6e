import type { Rehearsal, RehearsalCase } from '../../../api/rehearsals.ts'
import { counted } from '../../../design/counted.ts'

const WORDS = {
  same: (count: number) => `${count} the same`,
  different: (count: number) => `${count} ${count === 1 ? 'differs' : 'differ'}`,
  failed: (count: number) => `${count} now ${count === 1 ? 'fails' : 'fail'}`,
  unknown: (count: number) => `${count} unknown`
} as const

/** "100 runs: 97 the same, 2 differ, 1 now fails" */
export function rehearsalInWords(rehearsal: Rehearsal): string {
  const verdicts = ['same', 'different', 'failed', 'unknown'] as const
  const told = verdicts.flatMap((verdict) =>
    rehearsal[verdict] === 0 ? [] : [WORDS[verdict](rehearsal[verdict])]
  )
  return `${counted(rehearsal.runs, 'run')}: ${told.join(', ')}`
}

/** What one case comes to, at its node. */
export function caseInWords({ verdict, error }: RehearsalCase): string {
  if (verdict === 'failed') return `fails: ${error?.message ?? 'it did not fail then'}`
  if (verdict === 'unknown') return 'would be called with something else, so nobody knows what it gives'
  return 'gives something else'
}
