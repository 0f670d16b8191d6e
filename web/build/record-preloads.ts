import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { filesOf } from './page-files.ts'

/**
 * Writes down, for the pages that are given by their address, which files each needs besides those that the document
 * names. The service writes them into the document of such an address: a browser then asks for all of them at once, and
 * not for a page only after the shell around it has come and run.
 */
export function recordPreloads(pages: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'millrace:record-preloads',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const named = filesOf(bundle, '/index.html')
      const rest = (files: readonly string[], already: readonly string[]) =>
        files.filter((file) => !already.includes(file))
      const preloads = Object.entries(pages).map(([address, module]) => {
        const { scripts, styles } = filesOf(bundle, module)
        return [address, { scripts: rest(scripts, named.scripts), styles: rest(styles, named.styles) }]
      })
      await writeFile(
        join(dir!, '.vite', 'preloads.json'),
        JSON.stringify(Object.fromEntries(preloads), null, 2)
      )
    }
  }
}
