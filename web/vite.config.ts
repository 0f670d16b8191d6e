import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { docs } from './build/docs.ts'
import { mantineStyles } from './build/mantine-styles.ts'
import { plainText } from './build/plain-text.ts'
import { precompress } from './build/precompress.ts'
import { recordInputs } from './build/record-inputs.ts'
import { recordPreloads } from './build/record-preloads.ts'
import { unusedCanvasParts } from './build/unused-canvas-parts.ts'

const repository = fileURLToPath(new URL('..', import.meta.url))
const service = process.env.VITE_SERVICE ?? 'http://127.0.0.1:7860'

/** Pages that people open by their address, and have to see soon; each names its module. */
const OPENED_DIRECTLY = {
  flows: '/src/pages/flows/flows-page.tsx',
  'flows/:flow': '/src/pages/editor/editor-page.tsx'
}

/** What takes the place of two files of the service that are made for long texts. */
const EXACT_NUMBERS = fileURLToPath(new URL('./src/api/exact-numbers/', import.meta.url))

/** What the shell is made of, which every page stands in. */
const FIRST = { name: 'first', tags: ['$initial' as const], priority: 2 }

/**
 * What several pages share is in three files: left to itself the build makes one of every icon that two pages share. One
 * has what the canvas of a flow needs too, one has parts that lists are made of, for which a graph must not wait, and one
 * those of dialogs and forms, for which a list must not wait. Libraries that only some pages need are in none.
 */
const SHARED = {
  name: 'shared',
  minShareCount: 3,
  priority: 1,
  test: (id: string) =>
    CANVAS_TOO.test(id) ||
    (!id.includes('node_modules') && !id.endsWith('.tsx') && !FOR_LISTS.test(id) && !FOR_SOME.test(id))
}
const CANVAS_TOO = /use-local-storage|create-storage|use-window-event|state-badge|port-mark/
const FOR_LISTS =
  /flow-parts\/|bulk-flows|held-runs|beginning|copy-text|table-of|use-now|signs-shown|list-icons|file-parts\/|drop-zone|file-value|file-icons|byte-size|api\/files|csv-parse|number-of|api\/operations|api\/conversation|turn-words/
/** Small ones that the canvas and one other page need: compressed together they are smaller than one by one. */
const CANVAS_PARTS = {
  name: 'canvas-parts',
  minShareCount: 2,
  priority: 2,
  test: /cron-words|src\/api\/items|component-icons/
}
const SHARED_PARTS = {
  name: 'shared-parts',
  minShareCount: 3,
  test: (id: string) => isShared(id) && !FOR_FORMS.test(id)
}
/** What is opened or filled in when a list has been read: it comes with the first part that needs it. */
const FORM_PARTS = {
  name: 'form-parts',
  minShareCount: 3,
  test: (id: string) => FOR_FORMS.test(id) && !FOR_SOME.test(id)
}
const FOR_FORMS =
  /Modal|core\/[^/]*\/components\/(?:Radio|Textarea|FloatingIndicator|SegmentedControl|Alert|Accordion)|value-view|payload-editor|use-uploads|put-file|turn-words|api\/operations|shown-file|file-value/

function isShared(id: string): boolean {
  return (
    !FOR_SOME.test(id) &&
    (!id.includes('node_modules') || /@mantine|@floating-ui|react-remove-scroll/.test(id))
  )
}

const FOR_SOME =
  /@tanstack|codemirror|code-mirror|@lezer|marijn|style-mod|w3c-keyname|crelt|@xyflow|d3-|dagre|markdown|micromark|mdast|hast|unified|react-virtual|note-text|pages\/playground|src\/help\/|src\/problems|docs\/|src\/connections\/|src\/connection-forms\/|number-format|NumberInput|PasswordInput/

// biome-ignore lint/style/noDefaultExport: this is how Vite reads its configuration.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative: a host application serves the page below a prefix of its own.
  base: './',
  plugins: [
    react(),
    plainText(),
    docs(),
    mantineStyles(`${repository}node_modules/@mantine/core`),
    unusedCanvasParts(),
    precompress(['/index.html', ...Object.values(OPENED_DIRECTLY)]),
    recordInputs(repository),
    recordPreloads(OPENED_DIRECTLY)
  ],
  resolve: { alias: [{ find: /^\.\/(?=(?:read-exactly|json-tokens)\.ts$)/, replacement: EXACT_NUMBERS }] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    reportCompressedSize: false,
    // Nothing is inlined: the policy of the page allows no data: address for scripts and styles.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { codeSplitting: { groups: [FIRST, CANVAS_PARTS, SHARED, SHARED_PARTS, FORM_PARTS] } }
    },
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
