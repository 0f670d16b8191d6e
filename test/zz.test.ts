import { it } from 'node:test'
import { startService } from './support/service.ts'
import { ordersFlow } from './support/documents.ts'
for (const mode of ['none', 'wait', 'events', 'eventsclose', 'eventsread'])
it(mode, async (t) => {
  const service = await startService(t)
  const flow = await service.createFlow(ordersFlow())
  if (mode === 'wait') await service.waitForRun(await service.start(flow.slug))
  if (mode === 'events') await service.events(flow.id)
  if (mode === 'eventsclose') (await service.events(flow.id)).close()
  if (mode === 'eventsread') { const e = await service.events(flow.id); await service.run(flow.slug); await e.next(); e.close() }
  const s = performance.now()
  await service.stop()
  console.log(mode, performance.now() - s)
})
