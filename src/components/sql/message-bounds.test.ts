import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Framing, MessageBounds, MYSQL_FRAMING, POSTGRES_FRAMING } from './message-bounds.ts'

const ROOM = { bytes: 1024 ** 2, of: 'step', most: 1024 ** 2 } as const
const MOST = 2 * ROOM.bytes

function postgresMessage(length: number, body = length): Buffer {
  const message = Buffer.alloc(5 + body, 'D')
  message.writeUInt32BE(length + 4, 1)
  return message
}

function mySqlPacket(length: number, body = length): Buffer {
  const packet = Buffer.alloc(4 + body)
  packet.writeUIntLE(length, 0, 3)
  return packet
}

function inUse(framing: Framing): MessageBounds {
  const bounds = new MessageBounds(framing)
  bounds.allow(ROOM)
  return bounds
}

const KINDS = [
  ['PostgreSQL', POSTGRES_FRAMING, postgresMessage],
  ['MySQL', MYSQL_FRAMING, mySqlPacket]
] as const

for (const [name, framing, write] of KINDS)
  describe(`the bounds of messages of ${name}`, () => {
    it('take what is within them, wherever it is cut, and throw at the first that is not', () => {
      fc.assert(
        fc.property(
          fc.array(fc.nat(300)),
          fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
          (lengths, cuts) => {
            const bounds = inUse(framing)
            const said = Buffer.concat([...lengths.map((length) => write(length)), write(MOST + 1, 0)])
            for (let from = 0, cut = 0; from < said.length; cut++) {
              const to = Math.min(said.length - 1, from + cuts[cut % cuts.length]!)
              if (to === from) break
              bounds.look(said.subarray(from, to))
              from = to
            }
            assert.throws(() => bounds.look(said.subarray(-1)), { code: 'output_too_large' })
          }
        )
      )
    })

    it('are those of the step that asks', () => {
      const bounds = inUse(framing)
      bounds.look(write(MOST))
      bounds.allow({ ...ROOM, bytes: 4 * ROOM.bytes })
      bounds.look(write(8 * ROOM.bytes))
      bounds.allow({ ...ROOM, bytes: 10 })
      bounds.look(write(1024 ** 2))
      assert.throws(() => bounds.look(write(1024 ** 2 + 1)), { code: 'output_too_large' })
    })

    it('are for all of it before a step has asked', () => {
      const bounds = new MessageBounds(framing)
      for (let said = 0; said < 60; said++) bounds.look(write(1_000))
      assert.throws(() => {
        for (let said = 0; said < 10; said++) bounds.look(write(1_000))
      }, /more than 64 kB before it was asked anything/)
    })
  })

describe('packets of MySQL that go on', () => {
  it('are one message', () => {
    const bounds = new MessageBounds(MYSQL_FRAMING)
    bounds.allow({ ...ROOM, bytes: 10 * 1024 ** 2 })
    bounds.look(mySqlPacket(0xffffff))
    bounds.look(mySqlPacket(1_000))
    bounds.look(mySqlPacket(0xffffff))
    assert.throws(() => bounds.look(mySqlPacket(0xffffff, 0)), { code: 'output_too_large' })
  })
})

describe('a message of PostgreSQL', () => {
  it('counts its length', () => {
    const bounds = inUse(POSTGRES_FRAMING)
    assert.throws(() => bounds.look(Buffer.from('D\0\0\0\x03')), /a length of 3/)
  })
})
