import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './build/precompress.ts'
import { recordInputs } from './build/record-inputs.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const service = process.env.VITE_SERVICE ?? 'http://127.0.0.1:7860'

/**
 * What most pages use is one file: left to itself the build makes one of every icon that two pages share. Libraries that
 * only some pages need stay out of it, since everybody waits for this one.
 */
const SHARED = {
  name: 'shared',
  minShareCount: 3,
  test: (id: string) =>
    !/codemirror|code-mirror|@lezer|@xyflow|d3-|dagre|markdown|micromark|mdast|hast|unified|react-virtual|src\/connections\/|number-format|NumberInput|PasswordInput/.test(
      id
    )
}

// biome-ignore lint/style/noDefaultExport: this is how Vite reads its configuration.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative: a host application serves the page below a prefix of its own.
  base: './',
  plugins: [react(), precompress(), recordInputs(repository)],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    reportCompressedSize: false,
    // Nothing is inlined: the policy of the page allows no data: address for scripts and styles.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [SHARED] } } },
    // Editor pages come with CodeMirror and the canvas; both are loaded when they are needed.
    chunkSizeWarningLimit: 900
  },
  server: {
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/v1', '/sign-in', '/livez', '/readyz', '/metrics'].map((path) => [
        path,
        { target: service, bypass: pageRoute }
      ])
    )
  }
})

/** `/sign-in` is a page, and with a token a link that the service answers. */
function pageRoute({ url = '' }: { readonly url?: string | undefined }): string | undefined {
  return url.startsWith('/sign-in') && !url.includes('token=') ? '/index.html' : undefined
}
