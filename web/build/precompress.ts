import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(?:js|css|html|svg|json)$/
/** Below one packet there is nothing to win. */
const SMALLEST = 1400

/** Writes `x.gz` and `x.br` beside every file of text, so that the service compresses nothing while it serves. */
export function precompress(): Plugin {
  return {
    name: 'millrace:precompress',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      const names = Object.keys(bundle).filter((name) => TEXT.test(name))
      await Promise.all(names.map((name) => compressFile(join(dir!, name))))
    }
  }
}

async function compressFile(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < SMALLEST) return
  const [small, smaller] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    // Quality 11 takes four times as long as 9 for 3 % less.
    promisify(brotliCompress)(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } })
  ])
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)])
}
