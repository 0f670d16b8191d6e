import type { ApiClient } from './api-client.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { type Answer, startMisbehavingServer } from './misbehaving-server.ts'

/** What the flows of the gallery call, for their samples. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/parcels': (response) =>
    void response
      .writeHead(201, { 'content-type': 'application/json' })
      .end('{"code":"PX-7","label_url":"https://labels.example/PX-7.pdf"}')
}

/** Makes the connections that worked templates name, to counterparts that the test starts. */
export async function startGalleryCounterparts(lifetime: Lifetime, service: ApiClient): Promise<void> {
  const server = await startMisbehavingServer({ answers: ANSWERS })
  cleanUp(lifetime, () => server.stop())
  const settings = { base_url: server.origin, auth: 'none' }
  const made = await service.post('/api/v1/connections', { name: 'carrier', kind: 'http', settings })
  if (made.status !== 201) throw new Error(`the connection was refused: ${made.text}`)
}
