import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiClient } from './support/api-client.ts'
import { CHILD_KEY, type ChildService, spawnService } from './support/child-service.ts'
import { callFlow, deadlyFlow } from './support/documents.ts'
import { startOutside } from './support/outside.ts'
import { pluginPaths } from './support/stage.ts'

const env = { MILLRACE_PLUGINS: pluginPaths(['deadly.ts', 'call.ts']), MILLRACE_API_KEY: CHILD_KEY }

/** One that nobody thinks anything of, one that suspects the step that was in hand, and one that confirms it. */
const DEATHS = 3

describe('a step that kills the process', () => {
  it('is found out, and takes no other run with it', async (t) => {
    const first = await spawnService(t, { env })
    const outside = await startOutside(t)
    const client = await first.client(CHILD_KEY)
    const flow = await client.createFlow(deadlyFlow())
    const calling = await client.createFlow(callFlow(outside.url()))
    // Its call is under way whenever the process dies.
    const near = await client.start(calling.slug)
    await outside.next()
    const accepted = await startMany(client, flow.slug)
    await first.ended

    const died: ChildService[] = [first]
    let last = await spawnService(t, { env, home: first.home })
    for (; died.length < DEATHS; last = await spawnService(t, { env, home: first.home })) {
      await last.ended
      died.push(last)
    }
    for (const { ended } of died) assert.equal((await ended).signal, 'SIGKILL')

    const alive = await last.client(CHILD_KEY)
    await last.printed('stderr', /"level":40,.*"processes":3,.*did not stop in order/)
    const kept = await runIds(alive, flow.id)
    assert.deepEqual(
      accepted.filter((id) => !kept.includes(id)),
      []
    )
    // Also those whose sender the process died before it could answer: the deadly one may be among them.
    const runs = await Promise.all(kept.map((id) => alive.waitForRun(id)))
    for (const run of runs) assert.equal(run.status, isDeadly(run.input) ? 'failed' : 'succeeded')
    const failed = runs.filter(({ status }) => status === 'failed')
    assert.equal(failed.length, 1)
    const { error, steps } = failed[0]!
    assert.equal(error!.code, 'step_crashes_process')
    assert.equal(error!.node, 'deadly-1')
    assert.match(
      error!.message,
      /The process died 3 times in a row, the last two times in the middle of this step/
    )
    assert.equal(
      steps.find(({ node }) => node === 'webhook-1')!.attempts,
      1,
      'what was done is not done again'
    )

    outside.answerAll(() => ({ body: {} }))
    for (const call of outside.calls) call.answer({})
    assert.equal((await alive.waitForRun(near)).status, 'succeeded')
    assert.equal(last.child.exitCode, null)
  })
})

/** Fifty at once, one of which is deadly; who of them is answered before the process dies is chance. */
async function startMany(client: ApiClient, slug: string): Promise<string[]> {
  const bodies = Array.from({ length: 50 }, (_, n) => JSON.stringify(n === 25 ? { deadly: true } : { n }))
  const answers = await Promise.allSettled(bodies.map((body) => client.start(slug, body)))
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}

async function runIds(client: ApiClient, flowId: string): Promise<string[]> {
  const answer = await client.get(`/api/v1/runs?flow_id=${flowId}&limit=100`)
  return answer.json<{ runs: { id: string }[] }>().runs.map(({ id }) => id)
}

function isDeadly(input: unknown): boolean {
  return (input as { deadly?: boolean }).deadly === true
}
