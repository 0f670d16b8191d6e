import assert from 'node:assert/strict'
import { it } from 'node:test'
import { GroupSync } from './group-sync.ts'

/** Syncs that end when they are told to. */
function heldSyncs() {
  const begun: PromiseWithResolvers<void>[] = []
  const group = new GroupSync(() => {
    const sync = Promise.withResolvers<void>()
    begun.push(sync)
    return sync.promise
  })
  return { begun, group }
}

it('who comes while a sync is on its way shares the next one, and that begins after it', async () => {
  const { begun, group } = heldSyncs()
  const first = group.wait()
  const [second, third] = [group.wait(), group.wait()]
  assert.equal(begun.length, 1)
  begun[0]!.resolve()
  await first
  await Promise.resolve()
  assert.equal(begun.length, 2)
  const fourth = group.wait()
  begun[1]!.resolve()
  await Promise.all([second, third])
  await Promise.resolve()
  assert.equal(begun.length, 3, 'one for both, and one for who came while it was on its way')
  begun[2]!.resolve()
  await fourth
  void group.wait()
  assert.equal(begun.length, 4, 'nothing was on its way')
})

it('a sync that fails fails for all who share it, and for nobody else', async () => {
  const { begun, group } = heldSyncs()
  const first = group.wait()
  const [second, third] = [group.wait(), group.wait()]
  const broken = new Error('the disk is broken')
  begun[0]!.resolve()
  await first
  await Promise.resolve()
  const fourth = group.wait()
  begun[1]!.reject(broken)
  await assert.rejects(second, broken)
  await assert.rejects(third, broken)
  await Promise.resolve()
  begun[2]!.resolve()
  await fourth
})
