import { basename } from 'node:path'

const DOCUMENT = /^([\w-]+)\.md(#.*)?$/

/** Where a link of a document leads in the page, from its base; undefined for what the page does not have. */
export function helpAddress(file: string, target: string): string | undefined {
  const page = basename(file, '.md')
  if (target.startsWith('#')) return `help/${page}${target}`
  const [, other, anchor = ''] = DOCUMENT.exec(target) ?? []
  return other === undefined ? undefined : `help/${other}${anchor}`
}
