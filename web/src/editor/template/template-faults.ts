import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Scope } from '../../../../src/flows/template/read-path.ts'
import { templateGaps } from './template-gaps.ts'
import { templateProblems } from './template-tokens.ts'

interface TemplateFault {
  readonly from: number
  readonly to: number
  /**
   * An error keeps the draft from being published. A warning depends on data: the last payload lacks a key, and the next
   * one may have it.
   */
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** The text that is underlined: by it a fault is known again when it has moved. */
  readonly text: string
}

/** What is wrong with a template, in the words of the run that would fail. */
export function templateFaults(
  source: string,
  payload: JsonValue | undefined,
  variables: Scope = {}
): TemplateFault[] {
  const gaps = payload === undefined ? [] : templateGaps(source, payload, variables)
  return [
    ...templateProblems(source).map((problem) => faultOf(source, problem, 'error')),
    ...gaps.map((gap) => faultOf(source, gap, 'warning'))
  ]
}

function faultOf(
  source: string,
  { from, to, message }: Pick<TemplateFault, 'from' | 'to' | 'message'>,
  severity: TemplateFault['severity']
): TemplateFault {
  const end = Math.min(to, source.length)
  return { from, to: end, severity, message, text: source.slice(from, end) }
}

/** Somebody is at work in an editor. */
interface Work {
  readonly hasFocus: boolean
  /** The list of completions is open. */
  readonly isCompleting: boolean
  /** A key was pressed a moment ago. */
  readonly isTyping: boolean
}

/** Half a variable is not a fault while it is being written: faults wait for the blur, or for a pause without completions. */
export function isWriting({ hasFocus, isCompleting, isTyping }: Work): boolean {
  return hasFocus && (isCompleting || isTyping)
}

/** What stays in sight while somebody writes: what was told before and still holds. Nothing new. */
export function faultsWhileWriting(
  reported: readonly TemplateFault[],
  now: readonly TemplateFault[]
): TemplateFault[] {
  const known = new Set(reported.map(({ severity, text }) => `${severity} ${text}`))
  return now.filter(({ severity, text }) => known.has(`${severity} ${text}`))
}
