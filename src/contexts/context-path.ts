/** A context is named by its path: `/` is the root, `/sales` a child of it, `/sales/eu` a grandchild. */

export const ROOT = '/'

/** What a context can be called: one segment of a path. */
export const CONTEXT_NAME = '^[A-Za-z0-9_-]{1,60}$'

const contextName = new RegExp(CONTEXT_NAME)

export function isContextName(name: unknown): name is string {
  return typeof name === 'string' && contextName.test(name)
}

export function childPath(parent: string, name: string): string {
  return parent === ROOT ? `/${name}` : `${parent}/${name}`
}

export function parentPath(path: string): string | undefined {
  if (path === ROOT) return undefined
  return path.slice(0, path.lastIndexOf('/')) || ROOT
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function depthOf(path: string): number {
  return path === ROOT ? 0 : path.split('/').length - 1
}

/** Whether a context is the other one or lies below it. */
export function isWithin(path: string, ancestor: string): boolean {
  return ancestor === ROOT || path === ancestor || path.startsWith(`${ancestor}/`)
}

/** The nearest context that both lie in. */
export function commonAncestor(a: string, b: string): string {
  let path = a
  while (!isWithin(b, path)) path = parentPath(path) ?? ROOT
  return path
}

/** A name that can stand in a path, made from whatever a function or a file is called. */
export function segmentFrom(name: string): string {
  const last = name
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.[cm]?[jt]s$/, '')
  return (
    last
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || 'plugin'
  )
}
