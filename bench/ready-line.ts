import type { ChildProcess } from 'node:child_process'

const KEPT_OUTPUT = 4_000

/**
 * Resolves to what the pattern finds in the child's output. Rejects when the child ends first, or says nothing of
 * the kind in time; its last words are in the error.
 */
export function waitForLine(child: ChildProcess, pattern: RegExp, withinMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let isFound = false
    const timer = setTimeout(() => fail(`said nothing like ${pattern} within ${withinMs} ms`), withinMs)
    const fail = (what: string) => {
      clearTimeout(timer)
      reject(new Error(`the process ${child.pid} ${what}${output === '' ? '' : `:\n${output}`}`))
    }
    const read = (chunk: Buffer) => {
      // Read on after the line was found: a pipe that nobody empties would stop the child.
      if (isFound) return
      output = (output + chunk).slice(-KEPT_OUTPUT)
      const match = pattern.exec(output)
      if (match === null) return
      isFound = true
      clearTimeout(timer)
      resolve(match[1] ?? match[0])
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (error) => fail(`could not be started (${error.message})`))
    child.once('exit', (code, signal) => fail(`ended with ${signal ?? `code ${code}`} before it was ready`))
  })
}
