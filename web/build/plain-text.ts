import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const OURS = fileURLToPath(new URL('../src/design/plain-text/jsx-runtime.ts', import.meta.url))

/** Everything that makes elements does it by our runtime; see there. */
export function plainText(): Plugin {
  return {
    name: 'millrace:plain-text',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^react\/jsx-runtime$/ },
      handler: (_id, importer) => (importer === OURS ? null : OURS)
    }
  }
}
