import type { Command } from '../../command.ts'
import { AnswerIsNo } from '../../command-error.ts'
import { countOf } from '../../progress.ts'
import type { Remote } from '../remote.ts'
import type { Summary } from './run-choice.ts'
import type { Outcome } from './start-each.ts'

export interface Way {
  readonly action: 'replay' | 'retry'
  /** Of those that options choose, where they say nothing of it. */
  readonly status?: string
  readonly doing: string
  readonly done: string
}

interface Asked {
  readonly way: Way
  readonly command: Command<'runs replay' | 'runs retry'>
  /** In the order in which they are started. */
  readonly chosen: readonly Summary[]
}

/** Says what was started, what was not, and how to go on where some are left. */
export function tellOutcomes(outcome: Outcome, { screen }: Remote, asked: Asked): void {
  const { started, refused, unanswered, left } = outcome
  const { done } = asked.way
  if (screen.isJson) screen.json(membersOf(outcome, done))
  else if (started.length === 1 && asked.chosen.length === 1) screen.print(`${started[0]!.id}\n`)
  else {
    for (const [message, ids] of reasonsOf(refused))
      screen.note(`${countOf(ids.length, 'run')} refused, such as ${ids[0]}: ${message}`)
    for (const line of restOf(outcome, asked)) screen.note(line)
    screen.print(`${countOf(started.length, 'run')} ${done}.\n`)
  }
  if (refused.length + left.length > 0 || unanswered !== undefined) throw new AnswerIsNo()
}

function membersOf({ started, refused, unanswered, left }: Outcome, done: string) {
  return {
    [done]: started.map(({ run, id }) => ({ run_id: run.id, started: id })),
    refused: refused.map(({ run, error }) => ({ run_id: run.id, code: error.code, message: error.message })),
    unanswered:
      unanswered === undefined ? [] : [{ run_id: unanswered.run.id, message: unanswered.error.message }],
    left: left.map(({ id }) => id)
  }
}

function restOf({ unanswered, left }: Outcome, asked: Asked): string[] {
  const { done } = asked.way
  const lines: string[] = []
  if (unanswered !== undefined) {
    const { run, error } = unanswered
    lines.push(error.message)
    lines.push(`Whether run ${run.id} was ${done} is not known: the service did not answer.`)
  }
  const [next] = left
  if (next === undefined) return lines
  const why = unanswered === undefined ? ': the command was ended' : ''
  lines.push(`${countOf(left.length, 'run')} not ${done}, from ${next.id} on${why}.`)
  lines.push(`To go on with them: ${commandFrom(next, asked)}`)
  return lines
}

/** The same command for what was not tried, and for nothing that was made since: what was replayed may have failed again. */
function commandFrom(next: Summary, { way, command, chosen }: Asked): string {
  const { flow, status = way.status, search, profile, url } = command.options
  const last = Date.parse(chosen.at(-1)!.created_at)
  const options = {
    flow,
    status,
    search,
    since: next.created_at,
    until: new Date(last + 1).toISOString(),
    profile,
    url
  }
  const written = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`]
  )
  return ['millrace runs', way.action, ...written].join(' ')
}

/** As a shell takes it. */
function quoted(value: string): string {
  return /^[\w:.,/-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/** Many are refused for the same reason. */
function reasonsOf(refused: Outcome['refused']): Map<string, string[]> {
  const reasons = new Map<string, string[]>()
  for (const { run, error } of refused) {
    const message = error.message.replaceAll(run.id, '…')
    reasons.set(message, [...(reasons.get(message) ?? []), run.id])
  }
  return reasons
}
