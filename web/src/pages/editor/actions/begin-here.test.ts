import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SeenConnection } from '../../../api/connections.ts'
import type { Offer } from '../components/offers.ts'
import { begunHere, begunWithConnection, begunWithKeys } from './begin-here.ts'

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

test('what needs a connection begins with the only one that fits', () => {
  const seen = (name: string, kind: string, document: object | null = null) =>
    ({ name, kind, document }) as unknown as SeenConnection
  const model = { kind: 'connection', kinds: ['openai', 'anthropic'] }
  const fields = { connection: model, fallback: { ...model, optional: true } }
  const begun = (offer: Offer, ...all: SeenConnection[]) => begunWithConnection(offer, all).fields
  const mail = seen('mail', 'smtp')
  assert.deepEqual(begun(offerOf(null, fields), mail, seen('models', 'openai')), { connection: 'models' })
  assert.equal(begun(offerOf(null, fields), mail), undefined, 'none fits')
  assert.equal(begun(offerOf(null, fields), seen('one', 'openai'), seen('two', 'anthropic')), undefined)
  const chosen = { connection: 'mine', model: 'large' }
  assert.deepEqual(begun(offerOf(null, fields, chosen), seen('models', 'openai')), chosen)
  assert.equal(begunWithConnection({ facts: undefined }, [mail]).fields, undefined)
})

test('an operation is one of a connection that says what it offers', () => {
  const fields = { connection: { kind: 'connection', kinds: ['http'] } }
  const offer = { facts: { type: 'api-operation', fields } } as unknown as Offer
  const plain = { name: 'plain', kind: 'http', document: null } as unknown as SeenConnection
  const pets = { ...plain, name: 'pets', document: { title: 'Pets', operations: 3 } }
  assert.deepEqual(begunWithConnection(offer, [plain, pets]).fields, { connection: 'pets' })
  assert.equal(begunWithConnection(offer, [plain]).fields, undefined)
})
