import type { Static } from 'typebox'
import type { SessionKey } from '../../../http/schemas.ts'
import type { Command } from '../../command.ts'
import { CommandError, UsageError } from '../../command-error.ts'
import { Api } from '../api.ts'
import { OWN_ADDRESS, readAddress } from '../destination.ts'
import type { Outside } from '../outside.ts'
import { Screen } from '../print/screen.ts'
import { harmless } from '../print/width.ts'
import { askSecret } from './ask-secret.ts'
import { profilePath, readProfiles, writeProfiles } from './profile-file.ts'

const NAME = /^[\w.-]{1,60}$/

/** Keeps address and key, once the service has taken the key. */
export async function login({ operands, options }: Command<'login'>, outside: Outside): Promise<void> {
  const { env, home, platform, signal } = outside
  if (operands.address !== undefined && options.url !== undefined)
    throw new UsageError('The address is given twice. Leave --url out.')
  const path = profilePath(env, home, platform)
  const kept = await readProfiles(path)
  const name = options.profile ?? 'default'
  if (!NAME.test(name))
    throw new UsageError(`"${name}" is no name of a profile. Use letters, digits and - _ .`)
  const said = operands.address ?? options.url ?? env.MILLRACE_URL
  const url = readAddress(
    said || (Object.hasOwn(kept.profiles, name) ? kept.profiles[name]!.url : OWN_ADDRESS)
  )
  const key = options.key ?? (await askSecret(`API key for ${url}: `, outside))
  if (key === '') throw new CommandError('There is no key. Type one, pipe one in, or give one with --key.')
  const { key: known } = await new Api({ url, key, from: 'login', signal }).call<{
    key: Static<typeof SessionKey>
  }>('/api/v1/session')
  await writeProfiles(path, { current: name, profiles: { ...kept.profiles, [name]: { url, key } } })
  const screen = new Screen(outside, options.json)
  if (screen.isJson) return screen.json({ profile: name, url, key: known, file: path })
  screen.print(
    `The profile "${name}" is kept in ${path} and in use: ${url} with the key "${harmless(known.name)}" (${known.rights.join(', ')}).\n`
  )
}
