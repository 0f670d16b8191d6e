import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Offer } from '../components/offers.ts'
import { begunHere, begunWithKeys } from './begin-here.ts'

const offerOf = (trigger: string | null, fields: object, given?: Offer['fields']) =>
  ({ facts: { trigger, fields }, ...(given && { fields: given }) }) as unknown as Offer

test('a trigger with a time zone begins in that of whoever adds it, and nothing else changes', () => {
  const zone = { timezone: { kind: 'text', default: 'UTC' } }
  const fieldsOf = (offer: Offer, own = 'Europe/Berlin') => begunHere(offer, own).fields
  assert.deepEqual(fieldsOf(offerOf('schedule', zone)), { timezone: 'Europe/Berlin' })
  assert.deepEqual(fieldsOf(offerOf('schedule', zone, { timezone: 'Asia/Tokyo', cron: '@daily' })), {
    timezone: 'Asia/Tokyo',
    cron: '@daily'
  })
  assert.equal(fieldsOf(offerOf('schedule', zone), 'UTC'), undefined)
  assert.equal(fieldsOf(offerOf('webhook', {})), undefined)
  assert.equal(fieldsOf(offerOf(null, zone)), undefined, 'a Date writes what others read')
  assert.equal(fieldsOf({ facts: undefined }), undefined)
})

test('a template that would be a guess begins with the keys that came', () => {
  const parser = { template: { kind: 'template', default: 'Text: {text}' } }
  const begun = (offer: Offer, came: Parameters<typeof begunWithKeys>[1]) => begunWithKeys(offer, came).fields
  assert.deepEqual(begun(offerOf(null, parser), { id: 7 }), { template: 'id: {id}' })
  assert.equal(begun(offerOf(null, parser), 'text'), undefined)
  assert.deepEqual(begun(offerOf(null, parser, { template: 'mine' }), { id: 7 }), { template: 'mine' })
  const prompt = { template: { kind: 'template', default: '' } }
  assert.equal(begun(offerOf(null, prompt), { id: 7 }), undefined, 'it names its own inputs')
})
