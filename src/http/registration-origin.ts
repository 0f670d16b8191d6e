import { AsyncLocalStorage } from 'node:async_hooks'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Origin } from '../contexts/registration.ts'

const loading = new AsyncLocalStorage<string | undefined>()

/** Runs the body of a plugin so that whatever it registers, now or after an await, is known to be its. */
export function asOwner<T>(owner: string, body: () => T): T {
  return loading.run(owner, body)
}

/** Runs what Millrace itself does in the middle of a plugin's loading. */
export function asMillrace<T>(body: () => T): T {
  return loading.run(undefined, body)
}

/** The plugin that is registering something, or undefined where Millrace itself is. */
export function currentOwner(): string | undefined {
  return loading.getStore()
}

/** Who registers something, and the line of the call. To be called while the registration is made. */
export function originHere(fallbackOwner: string): Origin {
  return { owner: currentOwner() ?? fallbackOwner, source: callingLine(new Error().stack ?? '') }
}

const OWN_FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** The first line of the stack that is neither Millrace's, Node's nor a package's. */
function callingLine(stack: string): string | null {
  for (const line of stack.split('\n').slice(1)) {
    const match = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^()]*|[A-Za-z]:[^()]*):(\d+):\d+\)?$/.exec(
      line.trim()
    )
    if (match === null) continue
    const file = match[1]!.startsWith('file:') ? fileURLToPath(match[1]!) : match[1]!
    if (file.startsWith(OWN_FOLDER) || file.includes('/node_modules/')) continue
    return `${shortened(file)}:${match[2]}`
  }
  return null
}

function shortened(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') ? file : path
}
