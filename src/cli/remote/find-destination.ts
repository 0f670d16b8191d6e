import { readFileSync } from 'node:fs'
import { CommandError } from '../command-error.ts'
import { fileFault } from '../file-fault.ts'
import { type Destination, destinationOf, type Given } from './destination.ts'
import type { Env, Outside } from './outside.ts'
import { profilePath, readProfiles } from './profiles/profile-file.ts'

/** Which service is meant, by what is typed, the environment and the profiles. */
export async function findDestination(
  typed: Given,
  { env, home, platform }: Pick<Outside, 'env' | 'home' | 'platform'>
): Promise<Destination> {
  return destinationOf(typed, env, await readProfiles(profilePath(env, home, platform)), keyOf(env))
}

function keyOf(env: Env): string | null {
  if (env.MILLRACE_API_KEY) return env.MILLRACE_API_KEY
  const file = env.MILLRACE_API_KEY_FILE
  if (!file) return null
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new CommandError(`MILLRACE_API_KEY_FILE cannot be read: ${fileFault(error)}.`)
  }
}
