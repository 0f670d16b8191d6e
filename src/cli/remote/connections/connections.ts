import type { Static } from 'typebox'
import { didYouMean } from '../../../flows/closest-name.ts'
import { writeJson } from '../../../flows/json/exact-json.ts'
import type { ConnectionBody, TrialBody } from '../../../http/connections/connections.ts'
import type { Command } from '../../command.ts'
import { AnswerIsNo, CommandError } from '../../command-error.ts'
import type { Api } from '../api.ts'
import { lasting } from '../print/times.ts'
import { harmless } from '../print/width.ts'
import type { Remote } from '../remote.ts'

type Connection = Static<typeof ConnectionBody>

const PATH = '/api/v1/connections'

export async function listConnections(
  _command: Command<'connections list'>,
  { api, screen }: Remote
): Promise<void> {
  const connections = await allConnections(api)
  if (screen.isJson) return screen.json({ connections })
  if (connections.length === 0) return screen.note('There are no connections.')
  screen.table(
    [
      { title: 'NAME', of: ({ name }) => name, tone: () => 'strong', shrinks: true },
      { title: 'KIND', of: ({ kind }) => kind },
      { title: 'CONTEXT', of: ({ context }) => context, shrinks: true, leaves: 3 },
      { title: 'SECRETS', of: ({ secrets }) => Object.keys(secrets).join(', '), shrinks: true, leaves: 2 },
      { title: 'ID', of: ({ id }) => id, leaves: 1 }
    ],
    connections
  )
}

export async function showConnection(
  { operands, options }: Command<'connections show'>,
  { api, screen }: Remote
): Promise<void> {
  const connection = await connectionNamed(api, operands.connection, options.context)
  if (screen.isJson) return screen.json(connection)
  const { id, name, kind, context, settings, secrets, created_at, updated_at } = connection
  const facts: [string, string][] = [
    ['Name', name],
    ['Id', id],
    ['Kind', kind],
    ['Context', context],
    ['Made', created_at],
    ['Changed', updated_at],
    ...Object.entries(settings).map(([each, value]): [string, string] => [
      each,
      typeof value === 'string' ? value : writeJson(value)
    ]),
    ...Object.keys(secrets).map((each): [string, string] => [each, '(set)'])
  ]
  screen.list(facts.map(([each, value]) => [harmless(each), harmless(value)]))
}

export async function testConnection(
  { operands, options }: Command<'connections test'>,
  { api, screen }: Remote
): Promise<void> {
  const { id } = await connectionNamed(api, operands.connection, options.context)
  const path = `${PATH}/${encodeURIComponent(id)}/test`
  const trial = await api.call<Static<typeof TrialBody>>(path, { method: 'POST' })
  if (screen.isJson) screen.json(trial)
  else
    screen.print(
      `${screen.paint(trial.ok ? 'good' : 'bad', trial.ok ? 'ok' : 'no')}  ${harmless(trial.message)}  (${lasting(trial.took_ms)})\n`
    )
  if (!trial.ok) throw new AnswerIsNo()
}

async function allConnections(api: Api): Promise<readonly Connection[]> {
  return (await api.call<{ connections: Connection[] }>(PATH)).connections
}

async function connectionNamed(api: Api, meant: string, context: string | undefined): Promise<Connection> {
  const connections = await allConnections(api)
  const named = connections.filter(({ id, name }) => id === meant || name === meant)
  const found = context === undefined ? named : named.filter((each) => each.context === context)
  const [connection] = found
  if (connection === undefined) {
    const names = connections.map(({ name }) => name)
    const where = context === undefined ? '' : ` in ${context}`
    throw new CommandError(
      `There is no connection "${meant}"${where}.${didYouMean(meant, names)} millrace connections list shows which there are.`
    )
  }
  if (found.length === 1) return connection
  const places = found.map((each) => each.context).join(', ')
  throw new CommandError(
    `${found.length} connections are called "${meant}": in ${places}. Say which one with --context.`
  )
}
