import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { compileDoc, type DocPlace } from './compile-doc.ts'
import { helpAddress } from './help-address.ts'

const DOC = /\/docs\/[\w-]+\.md(?:\?.*)?$/

/** Lets the page import the documents of docs/, compiled: each by itself, and with `?title` or `?sections` only that. */
export function docs(): Plugin {
  return {
    name: 'millrace:docs',
    enforce: 'pre',
    load: {
      filter: { id: DOC },
      handler(id) {
        const [file, query] = id.split('?') as [string, string?]
        this.addWatchFile(file)
        const code = query === undefined ? docModule(file) : partModule(file, query)
        return { code, map: null, moduleType: 'js' }
      }
    }
  }
}

/** Pictures become files of the page, whose names the build knows at the end: they are imported. */
function docModule(file: string): string {
  const pictures: string[] = []
  const { title, html, headings } = compileDoc(readFileSync(file, 'utf8'), {
    ...placeOf(file),
    picture: (path) => `picture:${pictures.push(join(dirname(file), path)) - 1}:`
  })
  const imports = pictures.map((path, index) => `import picture${index} from ${JSON.stringify(path)}`)
  const shown = JSON.stringify(html).replaceAll(/picture:(\d+):/g, '" + picture$1 + "')
  const doc = `{ title: ${JSON.stringify(title)}, html: ${shown}, headings: ${JSON.stringify(headings)} }`
  return [...imports, `export const doc = ${doc}`].join('\n')
}

function partModule(file: string, part: string): string {
  const { title, sections } = compileDoc(readFileSync(file, 'utf8'), placeOf(file))
  if (part === 'title') return `export const title = ${JSON.stringify(title)}`
  return `export const sections = ${JSON.stringify(sections)}`
}

function placeOf(file: string): DocPlace {
  return { linkTo: (target) => helpAddress(file, target), picture: (path) => path }
}
