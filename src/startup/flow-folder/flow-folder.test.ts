import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { manualClock } from '../../clock.test-kit.ts'
import type { PushOrder } from '../../library/push/push-order.ts'
import type { Pushes } from '../../library/push/pushes.ts'
import { FlowFolder } from './flow-folder.ts'

const LOOK_MS = 10_000

it('lets flows go only where the folder has lacked their files for a while', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-followed-'))
  t.after(() => rm(folder, { recursive: true }))
  let live: readonly string[] = []
  const slugsOf = ({ flows }: PushOrder) => flows.map(({ slug }) => String(slug))
  const planned = (order: PushOrder) => ({
    flows: live.filter((slug) => !slugsOf(order).includes(slug)).map((slug) => ({ slug, action: 'delete' }))
  })
  const pushes = {
    plan: async (order: PushOrder) => planned(order),
    push: async (order: PushOrder) => {
      live = slugsOf(order)
      return { plan: { flows: [] } }
    }
  } as unknown as Pick<Pushes, 'plan' | 'push'>
  const clock = manualClock()
  const log = { info: () => undefined, warn: () => undefined, error: assert.fail }
  const following = () => new FlowFolder({ folder, pushes, clock, log })
  for (const slug of ['a', 'b']) await writeFile(join(folder, `${slug}.yaml`), 'name: x\n')
  const first = following()
  await first.start()
  assert.deepEqual(live, ['a', 'b'])
  await first.stop()

  await rm(join(folder, 'b.yaml'))
  const second = following()
  await second.start()
  assert.deepEqual(live, ['a', 'b'], 'its volume may be mounted only now')
  await second.stop()
  const third = following()
  await third.start()
  clock.advance(LOOK_MS)
  await eventually(() => live, ['a'])
  await third.stop()
})
