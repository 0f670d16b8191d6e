import { execFile } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import * as module from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { placeOfMistake, shortPath } from './stack-lines.ts'

const FAILED_IMPORTS = 'tracing:module.import:error'
const CHECK_WITHIN_MS = 10_000

interface FailedImport {
  readonly error: unknown
  readonly url: string
  readonly parentURL: string
}

/**
 * Tells where the code of plugins could not be read. Node knows that, but shows it only for errors that nobody catches:
 * what an import throws names no line, and no file where the fault is in one that the plugin imports.
 */
export class ImportWatch {
  readonly #failed = new WeakMap<object, FailedImport>()
  readonly #note = (message: unknown) => {
    const failed = message as FailedImport
    // The innermost comes first; those around it pass on its error.
    if (failed.error instanceof Error && !this.#failed.has(failed.error))
      this.#failed.set(failed.error, failed)
  }

  constructor() {
    subscribe(FAILED_IMPORTS, this.#note)
  }

  end(): void {
    unsubscribe(FAILED_IMPORTS, this.#note)
  }

  /** ` (at plugins/sales.js:12)` for a mistake in code, or nothing where that is not known. */
  async placeOf(error: unknown): Promise<string> {
    const known = placeOfMistake(error)
    const failed = error instanceof SyntaxError ? this.#failed.get(error) : undefined
    if (known !== '' || failed === undefined) return known
    try {
      const file = await unreadableFile(addressOf(failed))
      return file === undefined ? '' : ` (at ${await lineIn(file)})`
    } catch {
      // What is told anyway must not be lost over the place.
      return ''
    }
  }
}

function addressOf({ url, parentURL }: FailedImport): string {
  if (/^\.{0,2}\//.test(url) || URL.canParse(url)) return new URL(url, parentURL).href
  return pathToFileURL(module.createRequire(parentURL).resolve(url)).href
}

/** The last file that is read when the import is made once more: it fails there again, before any code runs. */
async function unreadableFile(address: string): Promise<string | undefined> {
  let last: string | undefined
  // Not before Node 22.15, where the place stays unknown.
  const hooks = (module as Partial<typeof module>).registerHooks?.({
    load: (url, context, next) => {
      last = url
      return next(url, context)
    }
  })
  if (hooks === undefined) return undefined
  try {
    await import(address)
  } catch {
    // As before.
  } finally {
    hooks.deregister()
  }
  return last?.startsWith('file:') ? fileURLToPath(last) : undefined
}

/** Compiles a file without running it. `node --check` would do, but knows no types. */
const CHECK = `
const { readFileSync } = require('node:fs')
const { stripTypeScriptTypes } = require('node:module')
const { SourceTextModule } = require('node:vm')
const file = process.argv[1]
const text = readFileSync(file, 'utf8')
new SourceTextModule(/\\.[cm]?ts$/.test(file) ? stripTypeScriptTypes(text) : text, { identifier: file })`

/** The file and the line at which a Node that only compiles it stops. */
async function lineIn(file: string): Promise<string> {
  const args = ['--no-warnings', '--experimental-vm-modules', '--eval', CHECK, file]
  const check = promisify(execFile)(process.execPath, args, { timeout: CHECK_WITHIN_MS })
  const said = await check.then(
    () => '',
    ({ stderr }: { readonly stderr?: string }) => stderr ?? ''
  )
  const [, line] = /^.+:(\d+)\n/.exec(said) ?? []
  return line === undefined ? shortPath(file) : `${shortPath(file)}:${line}`
}
