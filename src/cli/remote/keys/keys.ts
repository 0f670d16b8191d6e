import type { Static } from 'typebox'
import { didYouMean } from '../../../flows/closest-name.ts'
import type { Key as KeyBody } from '../../../http/access/keys.ts'
import type { Command } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import type { Api } from '../api.ts'
import { ofFlow } from '../flows/flow-named.ts'
import { FlowNames } from '../flows/flow-names.ts'
import { ago } from '../print/times.ts'
import { harmless } from '../print/width.ts'
import { readFuture } from '../read-values.ts'
import type { Remote } from '../remote.ts'

type Key = Static<typeof KeyBody>

const PATH = '/api/v1/keys'

export async function listKeys(
  _command: Command<'keys list'>,
  { api, screen, outside }: Remote
): Promise<void> {
  const keys = await allKeys(api)
  if (screen.isJson) return screen.json({ keys })
  const names = new FlowNames(api)
  const named = await Promise.all(
    keys.map(async (key) => ({ ...key, flow: key.flow_id === null ? null : await names.of(key.flow_id) }))
  )
  const when = (time: string | null, none: string) =>
    time === null ? none : screen.isTerminal ? ago(time, outside.now()) : time
  screen.table(
    [
      { title: 'KEY', of: ({ id }) => id },
      { title: 'NAME', of: ({ name }) => name, tone: () => 'strong', shrinks: true },
      { title: 'BEGINS', of: ({ hint }) => hint, leaves: 1 },
      { title: 'RIGHTS', of: ({ rights }) => rights.join(', '), shrinks: true },
      { title: 'ONLY FOR', of: ({ flow, context }) => flow ?? context ?? '', shrinks: true, leaves: 4 },
      { title: 'LAST USED', of: ({ last_used_at }) => when(last_used_at, 'never'), leaves: 3 },
      { title: 'GOOD UNTIL', of: ({ expires_at }) => expires_at ?? '', leaves: 2 }
    ],
    named
  )
}

/** The key alone goes to the output, for scripts to keep. */
export async function createKey(
  { operands, options }: Command<'keys create'>,
  { api, screen, outside }: Remote
): Promise<void> {
  const { right, flow, context } = options
  const body = {
    name: operands.name,
    ...(right.length === 0 ? {} : { rights: right }),
    ...(flow === undefined ? {} : { flow }),
    ...(context === undefined ? {} : { context }),
    expires_at: readFuture('expires', options.expires, outside.now()) ?? null
  }
  const create = () => api.call<Key & { key: string }>(PATH, { method: 'POST', body })
  const made = flow === undefined ? await create() : await ofFlow(api, flow, create)
  if (screen.isJson) return screen.json(made)
  screen.note(`The key "${harmless(made.name)}" (${made.rights.join(', ')}) is shown this once:`)
  screen.print(`${made.key}\n`)
}

export async function revokeKey(
  { operands }: Command<'keys revoke'>,
  { api, screen }: Remote
): Promise<void> {
  const key = keyNamed(operands.key, await allKeys(api))
  await api.call(`${PATH}/${encodeURIComponent(key.id)}`, { method: 'DELETE' })
  if (screen.isJson) return screen.json({ revoked: key.id })
  screen.print(`The key "${harmless(key.name)}" (${key.id}) is revoked.\n`)
}

async function allKeys(api: Api): Promise<readonly Key[]> {
  return (await api.call<{ keys: Key[] }>(PATH)).keys
}

function keyNamed(meant: string, keys: readonly Key[]): Key {
  const found = keys.filter(({ id, name }) => id === meant || name === meant)
  const [key] = found
  if (key === undefined) {
    const names = keys.map(({ name }) => name)
    throw new CommandError(
      `There is no key "${meant}".${didYouMean(meant, names)} millrace keys list shows which there are.`
    )
  }
  if (found.length === 1) return key
  throw new CommandError(
    `${found.length} keys are called "${meant}". Name one by its id: ${found.map(({ id }) => id).join(', ')}.`
  )
}
