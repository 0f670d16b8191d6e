import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Plugin } from 'vite'
import { filesOf } from './page-files.ts'

const TEXT = /\.(?:js|css|html|svg|json)$/
/** Below one packet there is nothing to win. */
const SMALLEST = 1400
/** Of the help there is one form only: two of each document would be a third of a megabyte of the package. */
const SELDOM_READ = /\/docs\/[\w-]+\.md$|\/help\/doc-index\.ts$/
/** What takes 1.2 s for the whole page with 9 takes 4.9 s with 11. It is 7 % less, which is for what people wait for. */
const QUALITY = { waitedFor: 11, other: 9 }

/**
 * Writes `x.gz` and `x.br` beside every file of text, so that the service compresses nothing while it serves. The files of
 * the modules that are named get smaller than the rest, since people wait for them.
 */
export function precompress(waitedFor: readonly string[]): Plugin {
  return {
    name: 'millrace:precompress',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const first = new Set(
        waitedFor.flatMap((module) => {
          const { scripts, styles } = filesOf(bundle, module)
          return [...scripts, ...styles]
        })
      )
      const names = Object.keys(bundle).filter((name) => TEXT.test(name))
      const quality = (name: string) => (first.has(name) ? QUALITY.waitedFor : QUALITY.other)
      const isSeldomRead = (name: string) => {
        const file = bundle[name]
        return file?.type === 'chunk' && SELDOM_READ.test(file.facadeModuleId ?? '')
      }
      await Promise.all(
        names.map((name) => compressFile(join(dir!, name), isSeldomRead(name) ? undefined : quality(name)))
      )
    }
  }
}

/** Without a quality it is compressed once, in the way that all browsers read. */
async function compressFile(path: string, quality: number | undefined): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < SMALLEST) return
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  if (quality === undefined) return
  const params = { [zlib.BROTLI_PARAM_QUALITY]: quality }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
}
