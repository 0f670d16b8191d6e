import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { it } from 'node:test'
import { cpuOf, cpuOfTree, parentOf } from '../bench/cpu-time.ts'

/** Keeps a core busy until it has used this much of it, and says so. */
const BURN = `const used = () => { const { user, system } = process.cpuUsage(); return user + system };
while (used() < 300_000); console.log('done')`

const isLinux = process.platform === 'linux'

it('CPU time is counted for a process, for those below it, and for those that have ended', {
  skip: !isLinux
}, async (t) => {
  const before = cpuOfTree(process.pid)
  const child = spawn(process.execPath, ['--eval', `${BURN}; process.stdin.resume()`], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  assert.ok(cpuOf(child.pid!) >= 280_000, 'itself')
  assert.equal(parentOf(child.pid!), process.pid)
  const during = cpuOfTree(process.pid)
  assert.ok(during - before >= 280_000, 'as part of the tree')
  child.stdin!.end()
  await once(child, 'exit')
  execFileSync(process.execPath, ['--eval', BURN])
  assert.ok(cpuOfTree(process.pid) - during >= 280_000, 'after it has ended')
})
