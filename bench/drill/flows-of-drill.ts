import { join } from 'node:path'
import { API_KEY, ROOT } from '../service-process.ts'
import { FLOWS, OTHER_FLOWS } from './flows.ts'

/** The component whose steps reach outside; see there. */
export const LEDGER_PLUGIN = join(ROOT, 'test/plugins/ledger.ts')

/** A flow is made after those that it names. */
function documentsInOrder(): readonly object[] {
  const [sub, ...others] = OTHER_FLOWS
  return [sub!, ...Object.values(FLOWS).map((flow) => flow.document), ...others]
}

export async function createFlows(url: string): Promise<void> {
  for (const document of documentsInOrder()) {
    const response = await fetch(`${url}/api/v1/flows`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(document)
    })
    if (response.status !== 201) throw new Error(`a flow of the drill was refused: ${await response.text()}`)
  }
}
