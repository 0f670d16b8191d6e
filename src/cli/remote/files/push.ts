import type { ReadFolder } from '../../../flow-files/folder.ts'
import { placedContext, placedFlows } from '../../../flow-files/placed.ts'
import type { Command } from '../../command.ts'
import { AnswerIsNo, type CommandError, UsageError } from '../../command-error.ts'
import type { Remote } from '../remote.ts'
import { folderOf, invalidFiles, placementOf, readSet } from './folder-set.ts'
import type { Plan } from './plan.ts'
import { rehearseAll } from './rehearse-all.ts'
import { summary, tellPlan } from './tell-plan.ts'

/** A push of hundreds of flows takes longer than other calls. */
const TIMEOUT_MS = 10 * 60_000

/** Brings a service to what a folder says, all of it or nothing. */
export async function push({ operands, options }: Command<'push'>, remote: Remote): Promise<void> {
  const { api, screen } = remote
  if (options.settings && options['keep-settings'])
    throw new UsageError('--settings and --keep-settings exclude each other. Leave one of them out.')
  const read = await readSet(folderOf(operands.folder, remote), remote)
  const body = bodyOf(read, options)
  const send = (query: object, more: object = {}) =>
    api.call<Plan>('/api/v1/push', {
      method: 'POST',
      query: { ...query },
      body: { ...body, ...more },
      timeoutMs: TIMEOUT_MS
    })
  const plan = await send({ dry_run: true })
  if (!screen.isJson) tellPlan(plan, remote)
  if (!plan.valid) throw refusal(plan, read, remote)
  const isNeeded = summary(plan).changes > 0
  if (options.check || !isNeeded) {
    if (screen.isJson) screen.json(plan)
    if (options.check && isNeeded) throw new AnswerIsNo()
    return
  }
  if (options.rehearse) await rehearseAll(plan, body.flows, options, remote)
  const done = await send({}, { plan: plan.plan })
  if (screen.isJson) screen.json(done)
  else screen.note(`Done: ${summary(done).text}.`)
}

function bodyOf({ flows, connections, contexts }: ReadFolder, options: Command<'push'>['options']) {
  const placement = placementOf(options)
  const placed = (path: string) => placedContext(path, placement)
  // Put elsewhere, a folder comes to a place that has settings of its own.
  const isElsewhere = placement.context !== '/'
  return {
    ...placement,
    flows: placedFlows(flows, placement),
    connections: connections.map((each) => ({ ...each, context: placed(each.context) })),
    contexts: contexts.map(({ path, default_auth, ...each }) => {
      return { ...each, path: placed(path), ...(default_auth !== null && { default_auth }) }
    }),
    delete: options.delete,
    settings: options.settings || (!isElsewhere && !options['keep-settings'])
  }
}

function refusal(plan: Plan, { placeOf }: ReadFolder, { screen }: Remote): CommandError {
  const faults = plan.errors.map(({ path, message }) => {
    return { ...(placeOf(path) ?? { file: '.', line: 1, column: 1 }), message }
  })
  if (screen.isJson)
    screen.json({ ...plan, errors: plan.errors.map((error, at) => ({ ...faults[at], ...error })) })
  return invalidFiles(faults)
}
