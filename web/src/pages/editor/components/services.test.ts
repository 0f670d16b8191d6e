import assert from 'node:assert/strict'
import { it } from 'node:test'
import { PRESETS } from '../../../../../src/connections/presets/presets.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import { findComponents } from './find-components.ts'
import { type Offer, searchedOf } from './offers.ts'
import { serviceOffers } from './services.ts'

const CALL = {
  type: 'api-request',
  title: 'API Request',
  category: 'Reach out',
  description: 'Calls an HTTP API.',
  keywords: ['http']
} as unknown as ComponentFacts

it('services are found by their names and what they are for, and begin as an API Request to them', () => {
  const offers: Offer[] = [{ facts: CALL, port: 'data' }]
  const all = [...offers, ...serviceOffers(offers, PRESETS)]
  const found = (search: string) =>
    findComponents(all, search, searchedOf).map((offer) => searchedOf(offer).title)
  assert.equal(found('slack')[0], 'Slack')
  assert.equal(found('sheets')[0], 'Google Sheets')
  assert.ok(found('crm').includes('HubSpot'))
  assert.equal(found('api request')[0], 'API Request')
  const slack = all.find(({ preset }) => preset?.id === 'slack')!
  assert.deepEqual([slack.facts?.type, slack.port], ['api-request', 'data'])
  assert.partialDeepStrictEqual(slack.fields, {
    connection: 'slack',
    method: 'POST',
    url: '/chat.postMessage'
  })
  assert.deepEqual(serviceOffers([{ facts: undefined }], PRESETS), [], 'nothing can call them there')
})
