import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './stage.ts'

export interface LockedPackage {
  readonly version: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** By their places: `node_modules/pg`. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>

const own = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages as LockedPackages

/**
 * The lockfile of an application that has Millrace from a tarball, with the versions that the repository is tested with. npm
 * finds them in its cache, where it put them when it installed the repository, and asks nobody.
 */
export function lockWith(app: AppPackage, published: LockedPackage, tarball: string): object {
  const digest = createHash('sha512').update(readFileSync(tarball)).digest('base64')
  const millrace = { ...published, resolved: app.dependencies.millrace, integrity: `sha512-${digest}` }
  const others = Object.keys({ ...published.dependencies, ...app.dependencies })
  const packages = { '': app, 'node_modules/millrace': millrace, ...closure(others) }
  return { name: app.name, version: app.version, lockfileVersion: 3, requires: true, packages }
}

export interface AppPackage {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>> & { readonly millrace: string }
}

/** Where a package that is at `from` finds another, as Node looks for it. */
export function placeOf(packages: LockedPackages, from: string, name: string): string | undefined {
  const place = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (place in packages) return place
  if (from === '') return undefined
  const above = from.lastIndexOf('node_modules/')
  return placeOf(packages, from.slice(0, Math.max(0, above - 1)), name)
}

/** What a package is there with: what it depends on, and peers that it does not leave to others. */
export function needsOf(facts: LockedPackage): string[] {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = facts
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

function closure(names: readonly string[]): LockedPackages {
  const found: Record<string, LockedPackage> = {}
  const visit = (from: string, name: string): void => {
    const place = placeOf(own, from, name)
    if (place === undefined || place in found) return
    // For the repository some of them are tools; here they are not.
    const { dev: _, devOptional: __, ...facts } = own[place]!
    found[place] = facts
    for (const needed of needsOf(facts)) visit(place, needed)
  }
  for (const name of names) visit('', name)
  return found
}
