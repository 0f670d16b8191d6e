import type { Command } from '../../command.ts'
import { FlowNames } from '../flows/flow-names.ts'
import { readCount } from '../read-values.ts'
import type { Remote } from '../remote.ts'
import { listedRuns, runQuery } from './run-choice.ts'
import { runColumns } from './run-columns.ts'

const MOST = 50

export async function listRuns(
  { options }: Command<'runs list'>,
  { api, screen, outside }: Remote
): Promise<void> {
  const most = readCount('limit', options.limit) ?? MOST
  const query = await runQuery(api, options, outside.now())
  const runs = await Array.fromAsync(listedRuns(api, query, most))
  if (screen.isJson) return screen.json({ runs })
  if (runs.length === 0) return screen.note('There are no such runs, or the key sees none.')
  const names = new FlowNames(api)
  const named = await Promise.all(runs.map(async (run) => ({ run, flow: await names.of(run.flow_id) })))
  screen.table(runColumns(outside.now(), screen.isTerminal), named)
}
