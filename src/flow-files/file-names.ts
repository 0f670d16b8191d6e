import { childPath, isContextName, ROOT } from '../contexts/context-path.ts'
import { SLUG } from '../flows/document/flow-document.ts'

/** What a file of the folder is, by its path alone. */
export type FileKind =
  | { readonly kind: 'flow'; readonly slug: string; readonly context: string }
  | { readonly kind: 'connections' | 'context'; readonly context: string }

interface NameFault {
  readonly fault: string
}

const slugs = new RegExp(SLUG)
const OF_A_CONTEXT = ['connections', 'context'] as const

/** Undefined for what is no file of flows. Paths have slashes, whatever the system has. */
export function kindOfFile(path: string): FileKind | NameFault | undefined {
  const folders = path.split('/')
  const file = folders.pop()!
  const [, stem] = /^(.+)\.ya?ml$/i.exec(file) ?? []
  if (stem === undefined) return undefined
  let context = ROOT
  for (const folder of folders) {
    if (!isContextName(folder))
      return {
        fault: `No context can be called "${folder}": names of folders have letters, digits, "-" and "_".`
      }
    context = childPath(context, folder)
  }
  const own = OF_A_CONTEXT.find((name) => name === stem)
  if (own !== undefined) return { kind: own, context }
  const slug = stem.replace(/\.flow$/, '')
  if (slugs.test(slug)) return { kind: 'flow', slug, context }
  return {
    fault: `No flow can be called "${slug}": the name of the file is its slug, of small letters, digits, "-" and "_", such as orders.yaml.`
  }
}

export function flowFile(slug: string, context: string): string {
  const isTaken = OF_A_CONTEXT.some((name) => name === slug)
  return inFolder(context, isTaken ? `${slug}.flow.yaml` : `${slug}.yaml`)
}

export function contextFile(kind: (typeof OF_A_CONTEXT)[number], context: string): string {
  return inFolder(context, `${kind}.yaml`)
}

function inFolder(context: string, file: string): string {
  return context === ROOT ? file : `${context.slice(1)}/${file}`
}
