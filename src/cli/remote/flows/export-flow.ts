import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '../../../errors.ts'
import { type JsonValue, writeJson } from '../../../flows/json/exact-json.ts'
import type { Command } from '../../command.ts'
import { CommandError } from '../../command-error.ts'
import type { Remote } from '../remote.ts'
import { flowPath, ofFlow } from './flow-named.ts'

type Members = Readonly<Record<string, JsonValue>>

/** What a document consists of, in the order in which it is written; all else is the service's own. */
const MEMBERS = ['name', 'description', 'tags', 'slug', 'context', 'nodes', 'edges', 'notes']

export async function exportFlow(
  { operands, options }: Command<'flows export'>,
  { api, screen, outside }: Remote
): Promise<void> {
  const path = flowPath(operands.flow, options.draft ? '/draft' : '')
  const flow = await ofFlow(api, operands.flow, () => api.call<Members>(path))
  const document = Object.fromEntries(
    MEMBERS.filter((name) => flow[name] !== undefined).map((name) => [name, flow[name]])
  )
  if (options.output === undefined) return screen.json(document)
  const file = resolve(outside.folder, options.output)
  try {
    await writeFile(file, `${writeJson(document, 2)}\n`)
  } catch (error) {
    throw new CommandError(`The file cannot be written: ${messageOf(error)}`)
  }
  if (screen.isJson) screen.json({ file })
  else screen.note(`${operands.flow} is written to ${file}.`)
}
