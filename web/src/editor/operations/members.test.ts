import assert from 'node:assert/strict'
import { it } from 'node:test'
import { membersOfBody, membersOfParameters, withMember } from './members.ts'

it('tells what an operation takes, what it needs first', () => {
  const usual = { in: 'query', description: '', style: 'form', explode: true } as const
  const parameters = [
    { ...usual, name: 'limit', required: false, schema: { type: 'integer', default: 30 } as const },
    { ...usual, name: 'state', required: true, description: 'Which.', schema: { enum: ['open', 'closed'] } }
  ]
  assert.deepEqual(membersOfParameters({ parameters }), [
    {
      name: 'state',
      isRequired: true,
      type: '',
      description: 'Which. One of open, closed.',
      placeholder: 'open'
    },
    { name: 'limit', isRequired: false, type: 'whole number', description: '', placeholder: '30' }
  ])
})

it('tells the members of a body that is an object', () => {
  const properties = {
    tags: { type: 'array', items: { type: 'string' } },
    at: { type: 'string', format: 'date-time', description: 'When' },
    it: { any_of: [{ type: 'string' }, { type: 'number' }] }
  } as const
  const body = { required: true, content_type: 'application/json', description: '', schema: { properties } }
  assert.deepEqual(
    membersOfBody({ body }).map(({ name, type, description }) => [name, type, description]),
    [
      ['tags', 'list of text', ''],
      ['at', 'date-time', 'When'],
      ['it', 'text or number', '']
    ]
  )
  assert.deepEqual(membersOfBody({ body: null }), [])
})

it('puts a value where it was, adds it at the end, and takes it out', () => {
  assert.deepEqual(withMember({ a: 1, b: 2 }, 'a', 3), { a: 3, b: 2 })
  assert.deepEqual(Object.keys(withMember({ a: 1 }, '__proto__', 2) as object), ['a', '__proto__'])
  assert.deepEqual(withMember({ a: 1, b: 2 }, 'a', null), { b: 2 })
  assert.equal(withMember({ a: 1 }, 'a', ''), null)
})
