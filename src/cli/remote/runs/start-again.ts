import type { Command } from '../../command.ts'
import { UsageError } from '../../command-error.ts'
import { countOf } from '../../progress.ts'
import type { Api } from '../api.ts'
import { FlowNames } from '../flows/flow-names.ts'
import { readCount } from '../read-values.ts'
import type { Remote } from '../remote.ts'
import { listedRuns, runPath, runQuery, type Summary } from './run-choice.ts'
import { runColumns } from './run-columns.ts'
import { startEach } from './start-each.ts'
import { tellOutcomes, type Way } from './tell-outcomes.ts'

const REPLAY: Way = { action: 'replay', doing: 'replaying', done: 'replayed' }
const RETRY: Way = { action: 'retry', status: 'failed', doing: 'retrying', done: 'retried' }

export function replayRuns(command: Command<'runs replay'>, remote: Remote): Promise<void> {
  return startAgain(command, remote, REPLAY)
}

export function retryRuns(command: Command<'runs retry'>, remote: Remote): Promise<void> {
  return startAgain(command, remote, RETRY)
}

async function startAgain(
  command: Command<'runs replay' | 'runs retry'>,
  remote: Remote,
  way: Way
): Promise<void> {
  const { api, screen, outside } = remote
  const runs = await chosenRuns(command, remote, way)
  if (command.options['dry-run']) return tellChosen(runs, remote, way)
  if (runs.length === 0) {
    if (screen.isJson) return screen.json({ [way.done]: [], refused: [], unanswered: [], left: [] })
    return screen.note(`There are no such runs: nothing is ${way.done}.`)
  }
  // One that is under way is brought to its end: whoever ends the command learns what was started.
  const unhurried = api.unhurried()
  const outcomes = await startEach(runs, {
    doing: way.doing,
    notes: outside.notes,
    signal: outside.signal,
    start: (run) => startOne(unhurried, run, way)
  })
  tellOutcomes(outcomes, remote, { way, command, chosen: runs })
}

async function chosenRuns(
  { operands, options }: Command<'runs replay' | 'runs retry'>,
  { api, outside }: Remote,
  way: Way
): Promise<Summary[]> {
  const { flow, status, since, until, search } = options
  const isFiltered = [flow, status, since, until, search].some((value) => value !== undefined)
  if (operands.run !== undefined) {
    if (isFiltered) throw new UsageError('A run is named, and options choose others. Leave one of both out.')
    return [await api.call<Summary>(runPath(operands.run))]
  }
  if (!isFiltered) throw new UsageError('Say which runs: an id, or for example --status failed --since 1h.')
  const query = await runQuery(api, { ...options, status: status ?? way.status }, outside.now())
  const most = readCount('limit', options.limit)
  const runs = await Array.fromAsync(listedRuns(api, { ...query, test: false }, most))
  // In the order in which they came.
  return runs.reverse()
}

async function startOne(api: Api, run: Summary, { action }: Way): Promise<string> {
  const { run_id } = await api.call<{ run_id: string }>(runPath(run.id, `/${action}`), { method: 'POST' })
  return run_id
}

async function tellChosen(
  runs: readonly Summary[],
  { api, screen, outside }: Remote,
  { done }: Way
): Promise<void> {
  if (screen.isJson) return screen.json({ dry_run: true, runs })
  const names = new FlowNames(api)
  const named = await Promise.all(runs.map(async (run) => ({ run, flow: await names.of(run.flow_id) })))
  if (runs.length > 0) screen.table(runColumns(outside.now(), screen.isTerminal), named)
  screen.note(`${countOf(runs.length, 'run')} would be ${done}. Nothing was done.`)
}
