import type { Api } from './client.ts'

/** Where requests try the draft of a flow for some time, whoever sends them. */
interface TestAddress {
  readonly address: string
  readonly expires_at: string
}

export function openTestAddress(api: Api, flow: string): Promise<TestAddress> {
  return api.post(`flows/${flow}/draft/address`, {})
}
