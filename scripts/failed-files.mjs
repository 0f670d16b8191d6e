// A reporter for node's test runner: the files in which something failed, one to a line. It speaks at the very end
// only, so that a runner that came to grief leaves no list that looks whole.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

export default async function* failedFiles(events) {
  const failed = new Set()
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.nesting === 0) failed.add(fileOf(data))
  }
  for (const file of failed) yield `${file}\n`
}

/** Where files share a process, each is a suite by its name; see test/support/run-together.ts. */
function fileOf({ name, entryFile, file }) {
  return name.endsWith('.test.ts') && existsSync(name) ? resolve(name) : (entryFile ?? file)
}
