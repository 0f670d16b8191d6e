import type { TestContext } from 'node:test'
import type { Answer, FlowBody } from './api-client.ts'
import { flowIn, makeContext } from './contexts.ts'
import { type Service, startService } from './service.ts'

export const GUARDED = [
  '/guarded',
  '/guarded/inner',
  '/guarded/data',
  '/guarded/inner/data',
  '/guarded/inner/data/deep'
]

const OPEN = ['/', '/open', '/open/data', '/plain', '/guarded-too']

/** Flows that ask for nothing themselves, one in each context, by the context’s path. */
export async function teams(t: TestContext): Promise<{ service: Service; flows: Map<string, FlowBody> }> {
  const service = await startService(t, { plugins: ['guarded.ts'] })
  const flows = new Map<string, FlowBody>()
  for (const path of [...GUARDED, ...OPEN]) {
    if (/data|deep|plain|too/.test(path)) await makeContext(service, path)
    flows.set(path, await service.createFlow(flowIn(path, undefined, { auth: 'None' })))
  }
  return { service, flows }
}

/** All but those that differ between any two answers. */
export function headersOf({ headers }: Answer): [string, string][] {
  return [...headers].filter(([name]) => name !== 'date').toSorted()
}
