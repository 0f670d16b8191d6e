import { didYouMean } from '../../../flows/closest-name.ts'
import type { Command } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import type { Outside } from '../outside.ts'
import { Screen } from '../print/screen.ts'
import { type Profiles, profilePath, readProfiles, writeProfiles } from './profile-file.ts'

/** Lists them, never their keys; or puts another one to use. */
export async function profiles({ operands, options }: Command<'profiles'>, outside: Outside): Promise<void> {
  const path = profilePath(outside.env, outside.home, outside.platform)
  const kept = await readProfiles(path)
  const screen = new Screen(outside, options.json)
  if (operands.use === undefined) return list(kept, screen)
  assertKept(operands.use, kept)
  await writeProfiles(path, { ...kept, current: operands.use })
  if (screen.isJson) return screen.json({ current: operands.use })
  screen.print(`The profile "${operands.use}" is in use: ${kept.profiles[operands.use]!.url}\n`)
}

export async function logout({ options }: Command<'logout'>, outside: Outside): Promise<void> {
  const path = profilePath(outside.env, outside.home, outside.platform)
  const kept = await readProfiles(path)
  const name = options.profile ?? kept.current
  if (name === null) throw new CommandError('No profile is in use. Name one with --profile.')
  assertKept(name, kept)
  const { [name]: _forgotten, ...rest } = kept.profiles
  await writeProfiles(path, { current: kept.current === name ? null : kept.current, profiles: rest })
  const screen = new Screen(outside, options.json)
  if (screen.isJson) return screen.json({ forgotten: name })
  screen.print(`The profile "${name}" is forgotten. Its key stays good until it is revoked.\n`)
}

function list({ current, profiles }: Profiles, screen: Screen): void {
  const rows = Object.entries(profiles).map(([name, { url, key }]) => ({
    name,
    url,
    key: `${key.slice(0, 6)}…`,
    current: name === current
  }))
  if (screen.isJson) return screen.json({ profiles: rows })
  if (rows.length === 0) return screen.note('There are no profiles. millrace login keeps one.')
  screen.table(
    [
      { title: 'IN USE', of: (row) => (row.current ? '*' : '') },
      { title: 'PROFILE', of: ({ name }) => name, tone: () => 'strong' },
      { title: 'ADDRESS', of: ({ url }) => url, shrinks: true },
      { title: 'KEY', of: ({ key }) => key }
    ],
    rows
  )
}

function assertKept(name: string, { profiles }: Profiles): void {
  if (Object.hasOwn(profiles, name)) return
  throw new CommandError(
    `There is no profile "${name}".${didYouMean(name, Object.keys(profiles))} millrace profiles lists them.`
  )
}
