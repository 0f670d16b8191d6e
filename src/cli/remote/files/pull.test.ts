import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { temporaryFolder } from '../../../../test/support/stage.ts'
import { readCommand } from '../../read-command.ts'
import type { Api } from '../api.ts'
import { Screen } from '../print/screen.ts'
import type { Remote } from '../remote.ts'
import { pull } from './pull.ts'

it('writes a file of which a pull that was killed has left a part', async (t) => {
  const folder = await temporaryFolder(t)
  const left = `orders.yaml.${process.pid}.part`
  await writeFile(join(folder, left), 'name: Ord')
  const flows = [{ name: 'Orders', slug: 'orders', context: '/', nodes: [], edges: [] }]
  const api = { call: async () => ({ flows, connections: [], contexts: [] }) } as unknown as Api
  const nowhere = { write: () => undefined }
  const screen = new Screen({ output: nowhere, notes: nowhere, env: {} }, false)
  const command = readCommand(['pull', folder]) as Parameters<typeof pull>[0]
  await pull(command, { api, screen, outside: { folder } } as unknown as Remote)
  assert.deepEqual((await readdir(folder)).toSorted(), ['orders.yaml', left])
})
