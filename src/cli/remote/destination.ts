import { didYouMean } from '../../flows/closest-name.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { Env } from './outside.ts'
import type { Profile, Profiles } from './profiles/profile-file.ts'

export interface Destination {
  /** Without a slash at its end. */
  readonly url: string
  readonly key: string | null
  /** What says the address, for people to find it. */
  readonly from: string
}

export interface Given {
  readonly url?: string | undefined
  readonly key?: string | undefined
  readonly profile?: string | undefined
}

export const OWN_ADDRESS = 'http://127.0.0.1:7860'

/**
 * Which service is meant. What is typed goes before variables, and variables before the profile in use. The key of a profile is
 * sent to the address of that profile and to no other.
 */
export function destinationOf(typed: Given, env: Env, kept: Profiles, keyOfEnv: string | null): Destination {
  const named = typed.profile === undefined ? undefined : profileNamed(typed.profile, kept)
  if (named !== undefined && typed.url !== undefined && readAddress(typed.url) !== named.url)
    throw new UsageError(`--url and --profile name two services. Leave one of them out.`)
  if (named !== undefined) {
    return { url: named.url, key: typed.key ?? named.key, from: `the profile "${typed.profile}"` }
  }
  const { url, from, profile } = addressOf(typed, env, kept)
  return { url, key: typed.key ?? keyOfEnv ?? profile?.key ?? null, from }
}

function addressOf(
  { url }: Given,
  env: Env,
  kept: Profiles
): Pick<Destination, 'url' | 'from'> & { profile?: Profile | undefined } {
  const said = url ?? (env.MILLRACE_URL || undefined)
  if (said !== undefined) {
    const address = readAddress(said)
    const from = url === undefined ? 'MILLRACE_URL' : '--url'
    return { url: address, from, profile: ofAddress(address, kept) }
  }
  const name = env.MILLRACE_PROFILE || kept.current
  if (name === null || name === undefined) return { url: OWN_ADDRESS, from: 'the default' }
  const profile = profileNamed(name, kept)
  return { url: profile.url, from: `the profile "${name}"`, profile }
}

function ofAddress(address: string, { current, profiles }: Profiles): Profile | undefined {
  const own = current === null ? undefined : profiles[current]
  return own?.url === address ? own : Object.values(profiles).find(({ url }) => url === address)
}

function profileNamed(name: string, { profiles }: Profiles): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile !== undefined) return profile
  const names = Object.keys(profiles)
  const known = names.length === 0 ? '' : ` There are ${names.join(', ')}.`
  throw new CommandError(
    `There is no profile "${name}".${didYouMean(name, names)}${known} millrace login --profile ${name} makes it.`
  )
}

/** As it is kept and compared. */
export function readAddress(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(`"${text}" is not the address of a service. Write one like ${OWN_ADDRESS}.`)
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'The address holds a name or a password. Leave them out, and send an API key with --key.'
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
